#include "segmented.h"

// Every thread takes one value and looks for its segment.
__global__ void add(const Segments input, value_t* sums) {
  const std::size_t i = blockIdx.x;
  if (i >= input.n) return;
  std::size_t s = 0;
  while (input.offsets[s + 1] <= i) ++s;
  sums[s] += input.values[i];  // here
}

extern "C" void s04_one_pass(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  if (input.segments > 0) cudaMemsetAsync(sums, 0, input.segments * sizeof(value_t), stream);
  if (input.n > 0) add<<<static_cast<unsigned>(input.n), 1, 0, stream>>>(input, sums);
}
