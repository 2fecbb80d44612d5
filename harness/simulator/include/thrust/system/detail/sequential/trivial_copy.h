// Copies of plain data by thrust on the simulator, in place of the packaged header's memmove: those to and
// from device memory are copies of the runtime, on record as transfers.
#pragma once

#include <cstddef>
#include <cstring>

#include <cuda_runtime_api.h>
#include <thrust/detail/config.h>
#include <thrust/system/detail/sequential/general_copy.h>
#include <thrust/system/detail/sequential/malloc_and_free.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace detail {
namespace sequential {

inline bool of_the_device(const void* pointer) {
  cudaPointerAttributes attributes;
  return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess &&
         attributes.type == cudaMemoryTypeDevice;
}

template <typename T>
__host__ __device__ T* trivial_copy_n(const T* first, std::ptrdiff_t n, T* result) {
#ifdef __CUDA_ARCH__
  return thrust::system::detail::sequential::general_copy_n(first, n, result);
#else
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(T);
  const bool crosses = !temporary_memory::instance().holds(first) &&
                       !temporary_memory::instance().holds(result) &&
                       (of_the_device(first) || of_the_device(result));
  if (!crosses)
    std::memmove(static_cast<void*>(result), first, bytes);
  else
    cudaMemcpy(result, first, bytes, cudaMemcpyDefault);
  return result + n;
#endif
}

}  // namespace sequential
}  // namespace detail
}  // namespace system
THRUST_NAMESPACE_END
