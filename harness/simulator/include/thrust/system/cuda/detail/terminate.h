#pragma once

#include <cuda_runtime.h>
#include <thrust/detail/config.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

inline __host__ __device__ void terminate_with_message(const char* message) {
  printf("%s\n", message);
#if defined(__CUDA_ARCH__)
  asm volatile("trap;");
#else
  std::terminate();
#endif
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
