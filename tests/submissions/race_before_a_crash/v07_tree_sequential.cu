#include "reduction.h"

__global__ void add_up(const value_t* values, std::size_t n, value_t* sum) {
  __shared__ value_t partial[256];
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? values[i] : value_t{0};
  // a barrier is missing
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

extern "C" void v07_tree_sequential(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  add_up<<<static_cast<unsigned>(n / 256 + 1), 256, 0, stream>>>(values, n, sum);
  value_t* volatile nowhere = nullptr;
  *nowhere = 1;  // here
}
