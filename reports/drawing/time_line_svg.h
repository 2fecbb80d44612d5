// Draws a time line of the copies and kernel launches that a submission made. Students are to copy their
// input to the GPU only once, and the drawing shows where they copied again.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Maximum number of copies and kernel launches that a time line draws; a table beside it lists the others.
inline constexpr std::size_t kMostTimeLineEvents = 150;

// SVG element for what one kernel file did: copies to the GPU, copies back, kernel launches, and the
// grader's own copies, with times if the engine (GPU or simulator) records them. All names are escaped;
// colours come from the page's CSS classes line-*.
struct TimeLineGroup {
  std::string name;  // name of the kernel file, unescaped
  std::string svg;
};

// Returns the time lines of a submission's copies and kernel launches, one per kernel file, for the page to
// place side by side. Empty if nothing was recorded.
std::vector<TimeLineGroup> time_line(const Grade& grade);

}  // namespace warpmark
