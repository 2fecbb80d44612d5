// The stream that reads the values was made when the work that writes them was already under way.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void scale(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

int main() {
  const int n = 1000;
  int *values, *scaled, *result;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&scaled, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  fill<<<4, 256, 0, first>>>(values, n);  // OTHER(race)
  cudaStreamCreate(&second);
  scale<<<4, 256, 0, second>>>(values, scaled, n);  // EXPECT(race)
  cudaMemcpyAsync(result, scaled, n * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaDeviceSynchronize();
  std::printf("%d\n", result[0]);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFreeHost(result);
  cudaFree(values);
  cudaFree(scaled);
  return cudaGetLastError();
}
