// Each block counts in shared memory and adds its bins to the global ones.
// Cures: the atomics of global memory, but for one per bin and block.
#include "histogram.h"

namespace {

__global__ void count(const unsigned char* keys, std::size_t n, unsigned* bins, std::size_t bin_count) {
  __shared__ unsigned mine[256];
  // <solution> TODO: count in shared memory, then add the block's bins
  for (unsigned b = threadIdx.x; b < 256; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const std::size_t stride = gridDim.x * std::size_t{blockDim.x};
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[keys[i]], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < 256 && b < bin_count; b += blockDim.x)
    if (mine[b] != 0) atomicAdd(&bins[b], mine[b]);
  // </solution>
}

}  // namespace

extern "C" void h02_shared(const unsigned char* keys, std::size_t n, unsigned* bins, std::size_t bin_count,
                           cudaStream_t stream) {
  cudaMemsetAsync(bins, 0, bin_count * sizeof(unsigned), stream);
  // Each block counts many keys, so that few atomics reach global memory.
  const std::size_t blocks = (n + 4095) / 4096;
  if (n > 0) count<<<blocks < 2048 ? blocks : 2048, 256, 0, stream>>>(keys, n, bins, bin_count);
}
