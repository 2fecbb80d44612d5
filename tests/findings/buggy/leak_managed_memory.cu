// Managed memory needs its cudaFree, too.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 64 * sizeof(int));  // EXPECT(leak)
  fill<<<1, 64>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d\n", values[63]);
  return error;
}
