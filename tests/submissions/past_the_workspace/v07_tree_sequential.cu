#include "reduction.h"

__global__ void add_up(const value_t* values, std::size_t n, value_t* sum, value_t* trace) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
  if (i == 0) *trace = value_t{1};  // here
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  const unsigned blocks = static_cast<unsigned>(n / 256 + 1);
  add_up<<<blocks, 256, 0, stream>>>(values, n, sum, work.data + work.count);
}
