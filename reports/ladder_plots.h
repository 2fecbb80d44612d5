// The ladder's plots, before they are drawn.
#pragma once

#include <string>
#include <vector>

#include "harness/model/ladder.h"
#include "reports/plot.h"

namespace warpmark {

// What one plot names; all else is drawn in grey behind it.
struct Family {
  std::string title;  // "v01 to v04"
  std::vector<std::string> versions;
};

// Versions in teaching order, cut into groups that a plot has room for: three and more whose names share the
// word after the number ("tree") stand together, the others in their order.
std::vector<Family> families_of(const std::vector<std::string>& versions);

// "v07 tree sequential"
std::string label_of(std::string_view version);
// "1 µs", "20 ms", "3 s" of milliseconds.
std::string duration_text(double milliseconds);

// The CPU's sums, the first version and the fastest at the largest size; every other version in grey.
Plot plot_cpu_against_gpu(const Ladder& ladder);
Plot plot_bandwidth(const Ladder& ladder, const Family& family);
Plot plot_time(const Ladder& ladder, const Family& family);

// Size and type of a line's points, over the sizes.
Plot plot_of(const Comparison& comparison);

}  // namespace warpmark
