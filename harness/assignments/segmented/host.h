// CPU versions of `segmented`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::segmented {

std::span<const HostVersion> segmented_on_the_cpu();

}  // namespace warpmark::segmented
