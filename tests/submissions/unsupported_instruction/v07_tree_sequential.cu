#include "reduction.h"

__global__ void add_up(const value_t* values, std::size_t n, value_t* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  asm volatile("pmevent 1;");  // here
  if (i < n) atomicAdd(sum, values[i]);
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  add_up<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(values, n, sum);
}
