#include "warmup.h"

__global__ void add(value_t* values, std::size_t n, value_t p) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) values[i] += p;  // here: if where a loop was meant
}

extern "C" void w02_grid_stride(value_t* values, std::size_t n, value_t p, cudaStream_t stream) {
  add<<<4, 256, 0, stream>>>(values, n, p);
}
