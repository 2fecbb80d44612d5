// The result is copied from memory that was freed a line before.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int* values;
  int host[64] = {};
  cudaMalloc(&values, sizeof host);
  fill<<<1, 64>>>(values);
  cudaFree(values);
  const cudaError_t error =
      cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);  // EXPECT(use_after_free)
  std::printf("%d\n", host[63]);
  return error;
}
