// &values is the place of the pointer in main, not the memory that it points to.
#include <cstdio>

__global__ void twice(int* values) {
  values[threadIdx.x] *= 2;
}

int main() {
  int host[64] = {};
  int* values;
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  const cudaError_t error =
      cudaMemcpy(&values, host, sizeof host, cudaMemcpyHostToDevice);  // EXPECT(bad_copy)
  twice<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
