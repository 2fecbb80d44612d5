#include "segmented.h"

// Every thread takes one value and looks for its segment.
__global__ void add(const Segments input, value_t* sums) {
  const std::size_t i = std::size_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= input.n) return;
  std::size_t s = 0;
  while (input.offsets[s + 1] <= i) ++s;
  atomicAdd(&sums[s], input.values[i]);
}

extern "C" void s04_one_pass(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // here
  if (input.n > 0) add<<<static_cast<unsigned>((input.n + 255) / 256), 256, 0, stream>>>(input, sums);
}
