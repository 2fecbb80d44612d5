// Atomics protect against other atomics. The plain read of the count needs a barrier before it.
#include <cstdio>

__global__ void count_large(const int* values, int* above) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (values[threadIdx.x] > 5) atomicAdd(&count, 1);  // OTHER(race)
  if (threadIdx.x == 0) *above = count;               // EXPECT(race) ALSO(warp_synchronous)
}

int main() {
  int *values, *above;
  int result = 0;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&above, sizeof(int));
  cudaMemset(values, 1, 128 * sizeof(int));
  count_large<<<1, 128>>>(values, above);
  cudaMemcpy(&result, above, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(above);
  return cudaGetLastError();
}
