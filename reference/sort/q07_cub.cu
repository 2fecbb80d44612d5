// <reference only>
// What changes: cub::DeviceRadixSort, the layer below thrust: it only queues kernels.
// What that cures: thrust's allocation; and half of the passes: only the 32 bits of the key are sorted.
// What still hurts: CUB needs temporary memory, which every caller must provide.
// What to expect: a yardstick for q05, which does the same with simpler kernels.
#include <cub/device/device_radix_sort.cuh>

#include "packed.h"

extern "C" void q07_cub(Pairs pairs, Workspace work, cudaStream_t stream) {
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  pack(pairs, from, pairs.n, stream);
  // Called without memory, CUB launches nothing and says how many bytes it needs. A radix sort is stable.
  std::size_t bytes = 0;
  if (cub::DeviceRadixSort::SortKeys(nullptr, bytes, from, to, pairs.n, 32, 64, stream) != cudaSuccess)
    return;
  // The allocation and the free below are ordered in the stream like a kernel: nothing waits here.
  void* memory = nullptr;
  if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) return;
  // CUDA keeps an error until the caller of the version calls cudaGetLastError.
  cub::DeviceRadixSort::SortKeys(memory, bytes, from, to, pairs.n, 32, 64, stream);
  cudaFreeAsync(memory, stream);
  unpack(pairs, to, stream);
}
