#include <vector>

#include "reduction.h"

__global__ void add_up(const value_t* values, std::size_t n, value_t* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  std::vector<value_t> host(n);
  cudaMemcpyAsync(host.data(), values, n * sizeof(value_t), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  value_t* again = nullptr;
  cudaMalloc(&again, n * sizeof(value_t));
  constexpr std::size_t kRow = 16 * sizeof(value_t);
  cudaMemcpy2DAsync(again, kRow, host.data(), kRow, kRow, n / 16, cudaMemcpyHostToDevice, stream);  // here
  cudaMemcpyAsync(again + n / 16 * 16, host.data() + n / 16 * 16, n % 16 * sizeof(value_t),
                  cudaMemcpyHostToDevice, stream);
  add_up<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(again, n, sum);
  cudaStreamSynchronize(stream);
  cudaFree(again);
}
