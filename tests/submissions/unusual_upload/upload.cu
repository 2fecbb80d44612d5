#include <cstring>

#include "reduction.h"

extern "C" value_t* upload(const value_t* host_values, std::size_t n) {
  constexpr std::size_t kPiece = 1 << 16;
  value_t* values = nullptr;
  value_t* staged = nullptr;
  cudaStream_t stream = nullptr;
  cudaMalloc(&values, n * sizeof(value_t));
  cudaMallocHost(&staged, kPiece * sizeof(value_t));
  cudaStreamCreate(&stream);
  for (std::size_t at = 0; at < n; at += kPiece) {
    const std::size_t bytes = (n - at < kPiece ? n - at : kPiece) * sizeof(value_t);
    std::memcpy(staged, host_values + at, bytes);
    cudaMemcpyAsync(values + at, staged, bytes, cudaMemcpyHostToDevice, stream);
    cudaStreamSynchronize(stream);
  }
  cudaStreamDestroy(stream);
  cudaFreeHost(staged);
  return values;
}
