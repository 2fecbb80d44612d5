// cudaMemcpy takes the destination first.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int host[64] = {};
  int* values;
  cudaMalloc(&values, sizeof host);
  fill<<<1, 64>>>(values);
  const cudaError_t error =
      cudaMemcpy(values, host, sizeof host, cudaMemcpyDeviceToHost);  // EXPECT(bad_copy)
  std::printf("%d\n", host[63]);
  cudaFree(values);
  return error;
}
