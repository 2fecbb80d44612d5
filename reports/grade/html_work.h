// Builds the page section on the work that the simulator counted (instructions, memory requests, atomics,
// ...).
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Adds to the view of the HTML page what templates/work.mustache shows: instructions, memory requests and
// atomics that the simulator counted.
void add_work(const Grade& grade, mstch::map& view);

}  // namespace warpmark
