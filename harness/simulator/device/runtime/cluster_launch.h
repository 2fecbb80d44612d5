// Launches a kernel with a cluster size that a launch attribute gives (cudaLaunchKernelEx).
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

namespace warpmark::simulator {

cudaError_t launch_in_clusters(const void* kernel, dim3 grid, dim3 block, dim3 cluster, void** arguments,
                               std::size_t shared_bytes, cudaStream_t stream, bool cooperative);

}  // namespace warpmark::simulator
