// <reference only>
// What changes: cub::DeviceRadixSort, the layer below thrust: it queues kernels, and that is all.
// What that cures: thrust's allocation; and half of the passes: only the 32 bits of the key are looked at.
// What still hurts: CUB asks for memory before it works, and every caller has to find it some.
// What to expect: the measure for q05, which does the same in plainer kernels.
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
  // The allocation and the release below take their turn in the stream like a kernel: nothing waits here.
  void* memory = nullptr;
  if (cudaMallocAsync(&memory, bytes, stream) != cudaSuccess) return;
  // An error stays with CUDA until cudaGetLastError is asked, which the caller of a version does.
  cub::DeviceRadixSort::SortKeys(memory, bytes, from, to, pairs.n, 32, 64, stream);
  cudaFreeAsync(memory, stream);
  unpack(pairs, to, stream);
}
