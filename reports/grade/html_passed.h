// Builds the page section on versions that passed: their work beside the reference's, and the next step.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Adds to the view of the HTML page what templates/passed.mustache shows.
void add_passed(const Grade& grade, mstch::map& view);

}  // namespace warpmark
