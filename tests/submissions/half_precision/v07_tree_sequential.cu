#include "reduction.h"

__device__ float halved(float value) {
  return __uint_as_float(__float_as_uint(value) & 0xffff0000u);  // here
}
__device__ int halved(int value) {
  return value;
}

__global__ void add_up(const value_t* values, std::size_t n, value_t* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, halved(values[i]));
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  add_up<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(values, n, sum);
}
