#include "reduction.h"

constexpr unsigned kThreads = 256;

__global__ void tree(const value_t* values, std::size_t n, value_t* partial) {
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  shared[tid] = i < n ? values[i] : value_t{0};
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = shared[0];
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                    cudaStream_t stream) {
  value_t* partial = work.data;
  while (true) {
    const std::size_t blocks = n <= kThreads ? 1 : n / kThreads;  // here: not rounded up
    tree<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, blocks == 1 ? sum : partial);
    if (blocks == 1) return;
    values = partial;
    n = blocks;
    partial += blocks;
  }
}
