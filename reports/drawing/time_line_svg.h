// Draws the time line of copies and kernel launches that the upload_once check observed.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Maximum number of events drawn; the transfer table covers the rest.
inline constexpr std::size_t kMostTimeLineEvents = 150;

// Events of one version as an SVG element: copies to the GPU, copies back, kernels, and the grader's own
// copies, with times if the engine records them. All names are escaped; colours come from the page (classes
// line-*).
struct TimeLineGroup {
  std::string name;  // name of the version, unescaped
  std::string svg;
};

// Returns one group per version, in order, to be placed side by side and wrapped. Empty if there is nothing
// to show.
std::vector<TimeLineGroup> time_line(const Grade& grade);

}  // namespace warpmark
