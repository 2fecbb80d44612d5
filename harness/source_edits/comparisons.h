// Finds where a source compares values of the same kind.
#pragma once

#include <string_view>
#include <vector>

namespace warpmark::source_edits {

// Returns the lines that compare, by <, <=, > or >=, a member or an element with one of the same name:
// `a.least < b.least`, `keys[i] < keys[j]`. Ascending, each once.
std::vector<int> lines_that_compare_alike(std::string_view text);

}  // namespace warpmark::source_edits
