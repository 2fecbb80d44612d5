// The parts of the page that show what was measured and what crossed to the device.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Add what templates/evidence.mustache shows.
void add_measurements(const Grade& grade, mstch::map& view);
void add_transfers(const Grade& grade, mstch::map& view);

}  // namespace warpmark
