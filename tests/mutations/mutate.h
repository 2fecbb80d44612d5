// Programs with one thing taken out: what a student forgets, done to a program that is right.
//
// A pure function of the text. It knows no C++ beyond comments, brackets and the idioms of CUDA course code;
// what it makes has to be compiled to know whether it is a program at all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpmark::mutations {

struct Mutant {
  std::string name;  // the rule and its how-manieth use in the text: "barrier.2"
  int line = 0;      // of the change
  std::string was;   // the line before and after the change, without its indentation
  std::string is;
  std::string text;  // of the whole program
};

// In the order of the rules, then of the text:
//   barrier, syncwarp, fence, volatile   taken out
//   test      an `if` in device code, or a `? :` anywhere, no longer asks: the guarded part is always done
//   outside   x = in_range ? value : 0 leaves x alone where it is out of range
//   zero      a variable or result that starts at 0 is no longer set
//   bound     a loop in device code makes one round too many
//   ticket    the counter of blocks does not begin again
//   atomic    an atomic addition becomes a plain one
std::vector<Mutant> mutants_of(std::string_view program);

}  // namespace warpmark::mutations
