#include "reduction.h"

constexpr unsigned kThreads = 256;  // a power of two: the tree halves it down to 1

// Adds the sum of the block's values to *sum.
__global__ void shared_one_pass(const value_t* values, std::size_t n, value_t* sum) {
  __shared__ value_t shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
  if (i < n) shared[tid] = values[i];
  __syncthreads();

  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];  // here
    __syncthreads();
  }
  if (tid == 0) atomicAdd(sum, shared[0]);
}

extern "C" void v12_shared_one_pass(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  const std::size_t blocks = (n + kThreads - 1) / kThreads;
  shared_one_pass<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, sum);
}
