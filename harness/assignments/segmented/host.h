// CPU versions of `segmented`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark {

std::span<const HostVersion> segmented_on_the_cpu();

}  // namespace warpmark
