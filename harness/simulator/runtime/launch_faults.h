// What is wrong with the shape of a launch: the value, the rule; empty where nothing is.
#pragma once

#include <cstdint>
#include <string>

#include <cuda_runtime.h>

#include "harness/simulator/machine/block.h"

namespace warpmark::simulator {

std::uint64_t threads_of(dim3 block);
std::uint64_t blocks_of(Dim3 cluster);
std::string shape_fault(dim3 grid, dim3 block);
// Of the clusters that a grid is to consist of. asked: by the launch, 0 where it does not say.
std::string cluster_fault(dim3 grid, Dim3 asked, Dim3 own, bool cooperative);

}  // namespace warpmark::simulator
