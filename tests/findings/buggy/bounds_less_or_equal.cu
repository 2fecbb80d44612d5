// i <= n lets one thread too many through.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) values[i] = i;  // EXPECT(out_of_bounds)
}

int main() {
  const int n = 1000;
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  fill<<<4, 256>>>(values, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
