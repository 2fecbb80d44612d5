// What a launch showed to be wrong: of the kinds that an engine reports. A launch stops at the first after
// which no run goes on (rule_of), and its kind becomes a sticky CUDA error.
//
// A trap (__trap()) and a failed assertion are what a GPU reports as a failed launch: cuda_error.
#pragma once

#include "harness/wire/observation.h"

namespace warpmark::simulator {

using wire::Finding;

}  // namespace warpmark::simulator
