// cub::CachingDeviceAllocator for the CUDA simulator. Caches nothing: every allocation is a call of
// cudaMalloc.
#pragma once

#include "cub/util_type.cuh"

namespace cub {

struct CachingDeviceAllocator {
  CachingDeviceAllocator() = default;
  explicit CachingDeviceAllocator(bool, bool = false) {}
  CachingDeviceAllocator(unsigned int, unsigned int = 1, unsigned int = 9, size_t = ~size_t{0}, bool = false,
                         bool = false) {}

  cudaError_t DeviceAllocate(void** pointer, size_t bytes, cudaStream_t = 0) {
    return ::cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceAllocate(int, void** pointer, size_t bytes, cudaStream_t = 0) {
    return ::cudaMalloc(pointer, bytes);
  }
  cudaError_t DeviceFree(void* pointer) { return ::cudaFree(pointer); }
  cudaError_t DeviceFree(int, void* pointer) { return ::cudaFree(pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
  cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
};

}  // namespace cub
