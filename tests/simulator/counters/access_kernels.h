// One access of a chosen width at chosen indices: a kernel for each of global and shared, load and store, and
// width. The index of every lane comes from a table, -1 for a lane that does nothing, so that the compilers
// of both engines make the same one access of it.
#pragma once

#include <cuda_runtime.h>

constexpr int kElements = 1152;    // reach of the indices; blocks begin at multiples of 128 bytes
constexpr int kAccessBlocks = 16;  // of one warp each

template <class T>
__device__ inline T value_of(int i) {
  return static_cast<T>(i);
}
template <>
__device__ inline int4 value_of<int4>(int i) {
  return make_int4(i, i + 1, i + 2, i + 3);
}

template <class T>
__device__ inline void fill(T* shared) {
  for (int i = static_cast<int>(threadIdx.x); i < kElements; i += 32) shared[i] = value_of<T>(i);
  __syncthreads();
}

// Inputs and results of all blocks lie one behind the other.
template <class T>
__device__ inline void load_global(const int* index, const T* data, T* result) {
  const int at = index[threadIdx.x];
  if (at >= 0) result[blockIdx.x * 32 + threadIdx.x] = data[blockIdx.x * kElements + at];
}

template <class T>
__device__ inline void store_global(const int* index, T* result) {
  const int at = index[threadIdx.x];
  if (at >= 0) result[blockIdx.x * kElements + at] = value_of<T>(static_cast<int>(threadIdx.x));
}

template <class T>
__device__ inline void load_shared(const int* index, T* result) {
  __shared__ T shared[kElements];
  fill(shared);
  const int at = index[threadIdx.x];
  if (at >= 0) result[blockIdx.x * 32 + threadIdx.x] = shared[at];
}

template <class T>
__device__ inline void store_shared(const int* index, T* result) {
  __shared__ T shared[kElements];
  fill(shared);
  const int at = index[threadIdx.x];
  if (at >= 0) shared[at] = value_of<T>(static_cast<int>(threadIdx.x));
  __syncthreads();
  result[blockIdx.x * 32 + threadIdx.x] = shared[threadIdx.x];
}

// The names that a profiler shows: load_global_4 and so on.
#define ACCESS_KERNELS(bytes, T)                                                               \
  extern "C" __global__ void load_global_##bytes(const int* index, const T* data, T* result) { \
    load_global(index, data, result);                                                          \
  }                                                                                            \
  extern "C" __global__ void store_global_##bytes(const int* index, T* result) {               \
    store_global(index, result);                                                               \
  }                                                                                            \
  extern "C" __global__ void load_shared_##bytes(const int* index, T* result) {                \
    load_shared(index, result);                                                                \
  }                                                                                            \
  extern "C" __global__ void store_shared_##bytes(const int* index, T* result) {               \
    store_shared(index, result);                                                               \
  }

ACCESS_KERNELS(1, unsigned char)
ACCESS_KERNELS(2, unsigned short)
ACCESS_KERNELS(4, int)
ACCESS_KERNELS(8, long long)
ACCESS_KERNELS(16, int4)
#undef ACCESS_KERNELS
