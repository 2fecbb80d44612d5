// CPU versions of `extremes`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::extremes {

std::span<const HostVersion> extremes_on_the_cpu();

}  // namespace warpmark::extremes
