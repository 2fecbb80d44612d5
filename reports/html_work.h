// The part of the page that shows the work which the simulator counted.
#pragma once

#include <mstch/mstch.hpp>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Adds what templates/work.mustache shows.
void add_work(const std::vector<Counted>& counters, mstch::map& view);

}  // namespace warpmark
