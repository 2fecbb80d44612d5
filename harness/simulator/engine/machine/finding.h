// A finding: a defect that the simulator reports for a kernel launch. Findings of a fatal kind (rule_of) end
// the launch and become a sticky CUDA error.
//
// A trap (__trap()) and a failed assertion are reported as cuda_error, because a GPU reports them as a failed
// launch.
#pragma once

#include "harness/wire/observation.h"

namespace warpmark::simulator {

using wire::Finding;

}  // namespace warpmark::simulator
