// Builds the page sections on the measured times and on the copies to and from the GPU.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Add the values for templates/speed.mustache and templates/uploads.mustache.
void add_measurements(const Grade& grade, mstch::map& view);
void add_transfers(const Grade& grade, mstch::map& view);

}  // namespace warpmark
