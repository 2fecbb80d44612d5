// The time line of the upload's audit as drawings.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Of a time line; the rest is in the table.
inline constexpr std::size_t kMostTimeLineEvents = 150;

// What one version caused, as an SVG element: copies to the GPU, copies back, kernels, and the grader's own
// copies, each with its time where the engine tells it. All names are escaped; colours are the page's
// (classes line-*).
struct TimeLineGroup {
  std::string name;  // of the version, as it is
  std::string svg;
};

// In order, so that they can be set side by side and wrapped. Empty when there is nothing to show.
std::vector<TimeLineGroup> time_line(const Grade& grade);

}  // namespace warpmark
