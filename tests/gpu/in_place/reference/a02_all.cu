#include "in_place.h"

namespace {

__global__ void add(int* values, int* offsets, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += std::size_t{gridDim.x} * blockDim.x)
    values[i] += offsets[i]++;
}

}  // namespace

extern "C" void a02_all(int* values, int* offsets, std::size_t n, cudaStream_t stream) {
  // <solution> TODO: launch the kernel with as many threads as the GPU holds.
  add<<<1024, 256, 0, stream>>>(values, offsets, n);
  // </solution>
}
