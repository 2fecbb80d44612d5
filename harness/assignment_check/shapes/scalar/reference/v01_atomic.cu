// What changes: one thread per value, one atomic addition per thread.
// What still hurts: all threads wait for the same word of memory.
#include "assignment_name.h"

namespace {

constexpr unsigned kThreads = 256;

__global__ void add_each(const int* values, std::size_t n, int* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}

}  // namespace

extern "C" void v01_atomic(const int* values, std::size_t n, int* sum, cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(int), stream);
  const unsigned blocks = static_cast<unsigned>((n + kThreads - 1) / kThreads);
  if (blocks > 0) add_each<<<blocks, kThreads, 0, stream>>>(values, n, sum);
}
