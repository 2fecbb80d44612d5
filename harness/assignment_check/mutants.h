// Mutants: a solution with one small place changed, as a student gets it wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignment_check/source.h"

namespace warpmark::assignment_check {

// A replacement of part of a source.
struct Edit {
  std::size_t begin = 0;  // byte offsets
  std::size_t end = 0;
  std::string by;
  std::string name;  // "<= to <", "drop i < n"
};

// A kind of mistake, and all places of a function where it can be made.
struct Operator {
  std::string_view name;
  std::string_view what;  // for users: what it changes
  void (*apply)(const Source& source, const Function& function, std::vector<Edit>& edits);
  // The change shows only at sizes that no simulator reaches, so that its survival says nothing about the
  // assignment.
  bool needs_huge_sizes = false;
};

std::span<const Operator> operators();
const Operator* find_operator(std::string_view name);

struct Mutant {
  std::string version;
  std::string file;
  std::string kind;       // name of the operator
  int line = 0;           // of the change
  std::string line_text;  // of the solution, without indentation
  std::string edit;
  std::uint64_t nth = 1;  // among the mutants of the file with the same line_text and edit
  std::string text;       // of the whole changed file
};

// Returns the mutants of a version's file, in the order of their places, without two of the same text.
// Changes are made inside functions, and inside the solution's marks if the file has any.
std::vector<Mutant> mutants_of(const std::string& version, const std::string& file, std::string_view text);

// Returns `count` of the mutants, drawn from the seed and in their order; all of them if count is 0 or there
// are no more.
std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count, std::uint64_t seed);

}  // namespace warpmark::assignment_check
