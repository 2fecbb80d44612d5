// What CUB's block algorithms share: a thread's place, memory without constructors, and a scan over the
// block.
#pragma once

#include "cub/thread/thread_operators.cuh"
#include "cub/thread/thread_reduce.cuh"
#include "cub/util_type.cuh"

namespace cub {

__device__ __forceinline__ int RowMajorTid(int x, int y, int) {
  return static_cast<int>((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}
__device__ __forceinline__ unsigned int LaneId() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

namespace detail {

// Memory for values that nobody constructs: __shared__ variables have no constructors.
template <typename T, int count>
struct RawArray {
  alignas(T) unsigned char bytes[sizeof(T) * count];
  __device__ T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// Of a block of x * y * z threads.
template <int x, int y, int z>
struct BlockShape {
  static constexpr int kThreads = x * y * z;
  static __device__ __forceinline__ int rank() {
    if constexpr (y == 1 && z == 1)
      return static_cast<int>(threadIdx.x);
    else
      return RowMajorTid(x, y, z);
  }
};

// Sums of the first `count` threads of a block in order: memory[0] is the result, for thread 0.
template <int threads, typename T, typename Operation>
__device__ __forceinline__ T reduce_threads(RawArray<T, threads>& memory, int rank, T value,
                                            Operation operation, int count) {
  memory[rank] = value;
  for (int step = 1; step < count; step *= 2) {
    __syncthreads();
    if (rank % (2 * step) == 0 && rank + step < count) {
      value = operation(value, memory[rank + step]);
      memory[rank] = value;
    }
  }
  return value;
}

// memory[r] becomes the inclusive scan up to thread r, readable for all.
template <int threads, typename T, typename Operation>
__device__ __forceinline__ T scan_threads(RawArray<T, threads>& memory, int rank, T value,
                                          Operation operation) {
  memory[rank] = value;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    if (rank >= step) value = operation(memory[rank - step], value);
    __syncthreads();
    memory[rank] = value;
    __syncthreads();
  }
  return value;
}

}  // namespace detail
}  // namespace cub
