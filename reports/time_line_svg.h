// The time line of the upload's audit as a drawing.
#pragma once

#include <string>

#include "harness/model/grade.h"

namespace warpmark {

// One row in order, an SVG element to put into a page: copies to the GPU, copies back, kernels, and the
// grader's own copies, grouped by the version that caused them, each with its time where the engine tells it.
// Empty when there is nothing to show. All names are escaped; colours are the page's (classes line-*).
std::string time_line_svg(const Grade& grade);

}  // namespace warpmark
