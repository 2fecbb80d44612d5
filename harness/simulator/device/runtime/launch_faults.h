// Validates launch configurations: each ..._fault() returns a message with the value and the rule, or an
// empty string.
#pragma once

#include <cstdint>
#include <string>

#include <cuda_runtime.h>

#include "harness/simulator/engine/machine/grid.h"

namespace warpmark::simulator {

std::uint64_t threads_of(dim3 block);
std::uint64_t blocks_of(Dim3 cluster);
std::string shape_fault(dim3 grid, dim3 block);
// Returns a message if the cluster size of a launch is invalid, else an empty string. `asked` is the launch
// attribute, `own` the kernel's __cluster_dims__; 0 if absent.
std::string cluster_fault(dim3 grid, Dim3 asked, Dim3 own, bool cooperative);

}  // namespace warpmark::simulator
