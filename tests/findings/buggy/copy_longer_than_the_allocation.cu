// The host's array has 80 values, the device's 64.
#include <cstdio>

__global__ void twice(int* values) {
  values[threadIdx.x] *= 2;
}

int main() {
  int host[80] = {};
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  const cudaError_t error =
      cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);  // EXPECT(bad_copy)
  twice<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
