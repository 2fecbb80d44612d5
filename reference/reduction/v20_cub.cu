// <reference only>
// What changes: cub::DeviceReduce::Sum, the layer below thrust: it only queues kernels.
// What that cures: thrust's allocation and its wait for the answer; the sum stays on the GPU.
// What still hurts: CUB needs temporary memory, which every caller must provide.
// What to expect: 1.4 times the speed of v19 (H200, 2^26 ints: 0.072 ms). It is hard to beat.
#include <cub/device/device_reduce.cuh>

#include "reduction.h"

extern "C" void v20_cub(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                        cudaStream_t stream) {
  // Called without memory, CUB launches nothing and says how many bytes it needs.
  std::size_t bytes = 0;
  if (cub::DeviceReduce::Sum(nullptr, bytes, values, sum, n, stream) != cudaSuccess) return;

  // Usually a few thousand bytes: a partial sum for each block of a grid that fills the GPU. The workspace is
  // sufficiently aligned for any type.
  void* memory = work.data;
  const bool fits = bytes <= work.count * sizeof(value_t);
  // The allocation and the free below are ordered in the stream like a kernel: nothing waits here, and
  // the memory lives until CUB's kernels are done.
  if (!fits && cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) return;
  // CUDA keeps an error until the caller of the version calls cudaGetLastError.
  cub::DeviceReduce::Sum(memory, bytes, values, sum, n, stream);
  if (!fits) cudaFreeAsync(memory, stream);
}
