// thrust::cuda::par on the simulator: thrust's sequential CPP system, in the host, on device memory that is
// open to it. In place of the packaged header, which needs CUB and nvcc.
#pragma once

#include <cuda_runtime_api.h>
#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// Work is done when a call returns, so that a stream says nothing.
struct par_t : cpp::detail::execution_policy<par_t> {
  __host__ __device__ constexpr par_t() {}
  __host__ __device__ par_t on(cudaStream_t) const { return par_t(); }
};

}  // namespace detail

static const detail::par_t par;
static const detail::par_t par_nosync;

}  // namespace cuda
}  // namespace system

namespace cuda {
using system::cuda::par;
using system::cuda::par_nosync;
}  // namespace cuda
THRUST_NAMESPACE_END
