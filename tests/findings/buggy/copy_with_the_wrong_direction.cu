// To the device, says the order of the arguments; from it, says the last one.
#include <cstdio>

__global__ void twice(int* values) {
  values[threadIdx.x] *= 2;
}

int main() {
  int host[64] = {};
  int* values;
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  cudaError_t error = cudaMemcpy(values, host, sizeof host, cudaMemcpyDeviceToHost);  // EXPECT(bad_copy)
  twice<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
