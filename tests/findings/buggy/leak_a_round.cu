// Each round allocates, and only the last allocation is freed.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int* values = nullptr;
  for (int k = 0; k < 3; ++k) {
    cudaMalloc(&values, 64 * sizeof(int));  // EXPECT(leak)
    fill<<<1, 64>>>(values);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
