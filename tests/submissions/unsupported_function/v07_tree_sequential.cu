#include "reduction.h"

__global__ void add_up(const value_t* values, std::size_t n, value_t* total) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, values[i]);
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  void* total = nullptr;
  cudaMemRangeGetAttribute(nullptr, 0, cudaMemRangeAttributeReadMostly, sum, sizeof(value_t));  // here
  cudaMalloc(&total, sizeof(value_t));
  cudaMemsetAsync(total, 0, sizeof(value_t), stream);
  add_up<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(values, n, static_cast<value_t*>(total));
  cudaMemcpyAsync(sum, total, sizeof(value_t), cudaMemcpyDeviceToDevice, stream);
  cudaStreamSynchronize(stream);
  cudaFree(total);
}
