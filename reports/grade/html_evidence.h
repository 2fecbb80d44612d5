// Page sections on the measurements and on the transfers to and from the device.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/grade.h"

namespace warpmark {

// Add the values for templates/speed.mustache and templates/uploads.mustache.
void add_measurements(const Grade& grade, mstch::map& view);
void add_transfers(const Grade& grade, mstch::map& view);

}  // namespace warpmark
