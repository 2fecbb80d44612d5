// Builds the page sections on the measured times and on the copies to and from the GPU.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Add to the view of the HTML page what templates/speed.mustache (measured times) and
// templates/uploads.mustache (copies to the GPU) show.
void add_measurements(const Grade& grade, mstch::map& view);
void add_transfers(const Grade& grade, mstch::map& view);

}  // namespace warpmark
