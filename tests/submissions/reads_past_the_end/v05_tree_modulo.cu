#include "reduction.h"

constexpr unsigned kThreads = 256;

__global__ void tree(const value_t* values, value_t* partial) {
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  shared[tid] = values[i];  // here
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = shared[0];
}

extern "C" void v05_tree_modulo(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  value_t* partial = work.data;
  while (true) {
    const std::size_t blocks = (n + kThreads - 1) / kThreads;
    tree<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, blocks == 1 ? sum : partial);
    if (blocks == 1) return;
    values = partial;
    n = blocks;
    partial += blocks;
  }
}
