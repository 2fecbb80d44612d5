// The steps of the tree do not wait for each other.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[256];
  partial[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (unsigned s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s)
      partial[threadIdx.x] += partial[threadIdx.x + s];  // EXPECT(race) ALSO(warp_synchronous)
  }
  if (threadIdx.x == 0) *sum = partial[0];
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  tree<<<1, 256>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
