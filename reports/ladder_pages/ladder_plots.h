// Builds the plots of a benchmark of all implementations, without drawing them.
#pragma once

#include <string>
#include <vector>

#include "harness/model/ladder.h"
#include "reports/drawing/plot.h"

namespace warpmark {

// Implementations that one plot labels and colours; all others are drawn in grey behind them.
struct Family {
  std::string title;  // title of the group: "v01 to v04"
  std::vector<std::string> versions;
};

// Splits names of implementations, in teaching order, into groups that fit one plot. Three or more names
// with the same word after the number ("tree" in "v07_tree_sequential") form a group; the others are grouped
// in order.
std::vector<Family> families_of(const std::vector<std::string>& versions);

// Returns "v07 tree sequential" for "v07_tree_sequential".
std::string label_of(std::string_view version);
// Formats milliseconds as "1 µs", "20 ms", "3 s".
std::string duration_text(double milliseconds);

// Plots time over input size for all implementations. Labels and colours those on the CPU, the first one,
// and the fastest at the largest size; the others are grey.
Plot plot_cpu_against_gpu(const Ladder& ladder);
Plot plot_bandwidth(const Ladder& ladder, const Family& family);
Plot plot_time(const Ladder& ladder, const Family& family);

// Plots the ratio of the times of two implementations over the input size, one line per combination of value
// type and alignment.
Plot plot_of(const Comparison& comparison);

}  // namespace warpmark
