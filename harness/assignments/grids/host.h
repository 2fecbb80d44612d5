// CPU versions of `grids`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::grids {

std::span<const HostVersion> grids_on_the_cpu();

}  // namespace warpmark::grids
