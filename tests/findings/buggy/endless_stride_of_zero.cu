// The stride is the number of blocks times the number of warps, and 16 / 32 is 0.
#include <cstdio>

__global__ void twice(int* values, int n) {
  const int stride = gridDim.x * (blockDim.x / 32);
  for (int i = threadIdx.x; i < n; i += stride) values[i] *= 2;  // EXPECT(endless_loop)
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  twice<<<1, 16>>>(values, 64);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
