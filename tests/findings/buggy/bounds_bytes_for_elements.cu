// cudaMalloc counts bytes; n of them hold a quarter of n ints.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;  // EXPECT(out_of_bounds)
}

int main() {
  const int n = 256;
  int* values;
  cudaMalloc(&values, n);
  fill<<<2, 128>>>(values, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
