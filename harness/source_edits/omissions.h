// Finds where a source file lacks the statement without which an output is never written: no change of what
// is there can cure that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmark::source_edits {

struct Omission {
  int line = 0;
  std::string what;  // "the kernel `sum` is never launched"
};

// Looks for an `if` or loop whose statement is empty, a kernel that nothing launches, and a kernel that is
// given one of the outputs, by the names of the contract, and never stores to it.
std::optional<Omission> find_omission(std::string_view text, const std::vector<std::string>& outputs);

// Looks for what is right in hardly any program, whatever it does: a division of whole numbers that gives 0,
// a comparator of a sort that is true for equal elements, and what a left out statement leaves behind: an
// `if` or `for` whose statement is empty, a function that nothing calls, a variable that is set and never
// read.
struct Leftover {
  Omission omission;
  std::string_view advice = "Was a statement left out?";
  bool is_sure = false;  // true: it can be right in no program
};
std::optional<Leftover> find_leftover(std::string_view text);

// Returns the line at which the version's function returns before anything is launched, for an input without
// elements; 0 if there is none.
int line_of_early_return(std::string_view text);

}  // namespace warpmark::source_edits
