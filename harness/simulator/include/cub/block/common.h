// Helpers of the simulator's CUB block algorithms: thread rank, uninitialised storage, block-wide reduction
// and scan.
#pragma once

#include "cub/thread/thread_operators.cuh"
#include "cub/thread/thread_reduce.cuh"
#include "cub/util_type.cuh"

namespace cub {

WARPMARK_LOOK_THROUGH int RowMajorTid(int x, int y, int) {
  return static_cast<int>((threadIdx.z * y + threadIdx.y) * x + threadIdx.x);
}
WARPMARK_LOOK_THROUGH unsigned int LaneId() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

namespace detail {

// Uninitialised array for __shared__ variables, which may not have constructors.
template <typename T, int count>
struct RawArray {
  alignas(T) unsigned char bytes[sizeof(T) * count];
  WARPMARK_LOOK_THROUGH T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// Dimensions of a thread block, x * y * z, and the rank of a thread in it.
template <int x, int y, int z>
struct BlockShape {
  static constexpr int kThreads = x * y * z;
  static WARPMARK_LOOK_THROUGH int rank() {
    if constexpr (y == 1 && z == 1)
      return static_cast<int>(threadIdx.x);
    else
      return RowMajorTid(x, y, z);
  }
};

// Reduces the values of the block's first `count` threads in order of rank. Only thread 0 gets the result,
// which is also in memory[0].
template <int threads, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T reduce_threads(RawArray<T, threads>& memory, int rank, T value, Operation operation,
                                       int count) {
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

// Inclusive block-wide scan. On return memory[r] holds the scan up to thread r, and all threads may read it.
template <int threads, typename T, typename Operation>
WARPMARK_LOOK_THROUGH T scan_threads(RawArray<T, threads>& memory, int rank, T value, Operation operation) {
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
