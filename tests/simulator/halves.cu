// The program that harness/simulator/DEBUGGING.md looks into.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void halve(float* values) {
  if (threadIdx.x % 2 == 1) values[threadIdx.x] /= 2;
}

int main() {
  float host[32], *values;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  halve<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%g\n", host[31]);
  cudaFree(values);
}
