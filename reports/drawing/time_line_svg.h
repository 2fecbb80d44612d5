// Draws the time line of copies and kernel launches that the upload_once check observed.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Maximum number of events drawn; the transfer table covers the rest.
inline constexpr std::size_t kMostTimeLineEvents = 150;

// SVG element for what one kernel file did: copies to the GPU, copies back, kernel launches, and the
// grader's own copies, with times if the engine (GPU or simulator) records them. All names are escaped;
// colours come from the page's CSS classes line-*.
struct TimeLineGroup {
  std::string name;  // name of the kernel file, unescaped
  std::string svg;
};

// Returns one group per kernel file, to be placed side by side and wrapped. Empty if there is nothing to
// show.
std::vector<TimeLineGroup> time_line(const Grade& grade);

}  // namespace warpmark
