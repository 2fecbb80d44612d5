// Which lines of a source file can have influenced what one of its lines reads or does. Variables are
// compared by name and function, so the result is an approximation.
#pragma once

#include <string_view>
#include <vector>

namespace warpmark::source_edits {

// Distance of lines that have no influence.
constexpr int kUnrelated = 1000;

// Returns for each line, counted from 1, how many assignments, tests or calls lie between it and the closest
// of `seeds`: 0 for these, 1 for lines that set what these use, and for the heads of loops and tests around
// them. Element 0 is unused.
std::vector<int> distances_to(std::string_view text, const std::vector<int>& seeds);

}  // namespace warpmark::source_edits
