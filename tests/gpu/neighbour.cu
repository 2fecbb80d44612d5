// Another process on the GPU: reads a gigabyte again and again until it is ended.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void read_all(const uint4* words, std::size_t count, unsigned* sink) {
  unsigned bits = ~0u;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    const uint4 word = words[i];
    bits &= word.x & word.y & word.z & word.w;
  }
  if (bits == ~0u) *sink = bits;
}

int main() {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  void* data = nullptr;
  if (cudaMalloc(&data, kBytes) != cudaSuccess || cudaMemset(data, 0, kBytes) != cudaSuccess) return 1;
  std::puts("running");
  std::fflush(stdout);
  for (;;) {
    for (int i = 0; i < 16; ++i) {
      read_all<<<4096, 256>>>(static_cast<const uint4*>(data), kBytes / sizeof(uint4),
                              static_cast<unsigned*>(data));
    }
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  }
}
