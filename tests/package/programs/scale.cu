#include <cstdio>
#include <cuda_runtime.h>

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  constexpr int n = 1000;
  float values[n];
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  float* device = nullptr;
  cudaMalloc(&device, sizeof values);
  cudaMemcpy(device, values, sizeof values, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(device, n);
  cudaMemcpy(values, device, sizeof values, cudaMemcpyDeviceToHost);
  cudaFree(device);
  std::printf("the last value is %g\n", values[n - 1]);
  return values[n - 1] == 1998 ? 0 : 1;
}
