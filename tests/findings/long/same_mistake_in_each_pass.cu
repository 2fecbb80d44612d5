// A copy of what nobody set, half a million times: what is written of it is bounded.
#include <cstdio>

#include <cuda_runtime.h>

int main() {
  int* device = nullptr;
  int host = 0;
  if (cudaMalloc(&device, sizeof(int)) != cudaSuccess) return 1;
  for (int i = 0; i < 500'000; ++i) {
    if (cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  }
  std::printf("copied\n");
  return cudaFree(device) == cudaSuccess ? 0 : 1;
}
