// Builds the page section on the work that the simulator counted (instructions, memory requests, atomics,
// ...).
#pragma once

#include <mstch/mstch.hpp>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Adds the values for templates/work.mustache.
void add_work(const std::vector<Counted>& counters, mstch::map& view);

}  // namespace warpmark
