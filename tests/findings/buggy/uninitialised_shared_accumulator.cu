// Shared memory does not begin at zero.
#include <cstdio>

__global__ void count(const int* values, int* above) {
  __shared__ int large;
  if (values[threadIdx.x] > 5) atomicAdd(&large, 1);  // EXPECT(uninitialised_read)
  __syncthreads();
  if (threadIdx.x == 0) *above = large;
}

int main() {
  int *values, *above;
  int result = 0;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&above, sizeof(int));
  cudaMemset(values, 1, 64 * sizeof(int));
  count<<<1, 64>>>(values, above);
  cudaMemcpy(&result, above, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(above);
  return cudaGetLastError();
}
