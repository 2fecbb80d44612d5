// CPU versions of `matmul`.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::matmul {

std::span<const HostVersion> matmul_on_the_cpu();

}  // namespace warpmark::matmul
