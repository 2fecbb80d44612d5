// CPU versions of the sum. Their results are those of the GPU versions: int and long long wrap around, float
// is accumulated in double.
#pragma once

#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark::reduction {

// Returns cpu_one_thread, cpu_threads and, if compiled with OpenMP, cpu_openmp.
std::span<const HostVersion> cpu_sums();

}  // namespace warpmark::reduction
