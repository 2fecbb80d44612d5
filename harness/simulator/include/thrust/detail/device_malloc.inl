// thrust::device_malloc() on the simulator, in place of the packaged header's, which takes host memory.
#pragma once

#include <new>

#include <cuda_runtime_api.h>
#include <thrust/device_malloc.h>

THRUST_NAMESPACE_BEGIN

// Throws std::bad_alloc.
inline thrust::device_ptr<void> device_malloc(const std::size_t n) {
  void* memory = nullptr;
  if (cudaMalloc(&memory, n) != cudaSuccess) throw std::bad_alloc();
  return thrust::device_ptr<void>(memory);
}

template <typename T>
thrust::device_ptr<T> device_malloc(const std::size_t n) {
  return thrust::device_ptr<T>(static_cast<T*>(thrust::device_malloc(n * sizeof(T)).get()));
}

THRUST_NAMESPACE_END
