#include <vector>

#include "reduction.h"

constexpr std::size_t kPiece = 8192;
__constant__ value_t piece[kPiece];

__global__ void add_up(std::size_t n, value_t* sum) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, piece[i]);
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  std::vector<value_t> host(n);
  cudaMemcpyAsync(host.data(), values, n * sizeof(value_t), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  for (std::size_t at = 0; at < n; at += kPiece) {
    const std::size_t count = n - at < kPiece ? n - at : kPiece;
    cudaMemcpyToSymbol(piece, host.data() + at, count * sizeof(value_t));  // here
    add_up<<<static_cast<unsigned>(count / 256 + 1), 256, 0, stream>>>(count, sum);
    cudaStreamSynchronize(stream);
  }
}
