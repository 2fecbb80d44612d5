// A finding of a launch. A launch stops at the first finding that makes continuing meaningless (rule_of); its
// kind becomes a sticky CUDA error.
//
// A trap (__trap()) and a failed assertion are reported as cuda_error, because a GPU reports them as a failed
// launch.
#pragma once

#include "harness/wire/observation.h"

namespace warpmark::simulator {

using wire::Finding;

}  // namespace warpmark::simulator
