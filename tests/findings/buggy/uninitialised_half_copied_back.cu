// The kernel stores to half of the array, and all of it is copied back.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = 1;
}

int main() {
  int* values;
  int host[128] = {};
  cudaMalloc(&values, sizeof host);
  fill<<<1, 64>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // EXPECT(uninitialised_read)
  std::printf("%d\n", host[0] > 0);
  cudaFree(values);
  return cudaGetLastError();
}
