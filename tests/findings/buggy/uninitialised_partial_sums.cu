// The second pass adds up 16 partial sums; the first had 10 blocks.
#include <cstdio>

__global__ void first_pass(const int* values, int* partial) {
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int k = 0; k < 32; ++k) mine += values[blockIdx.x * 32 + k];
    partial[blockIdx.x] = mine;
  }
}

__global__ void second_pass(const int* partial, int count, int* sum) {
  int total = 0;
  for (int k = 0; k < count; ++k) total += partial[k];  // EXPECT(uninitialised_read)
  *sum = total;
}

int main() {
  int *values, *partial, *sum;
  int result = 0;
  cudaMalloc(&values, 320 * sizeof(int));
  cudaMalloc(&partial, 16 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 320 * sizeof(int));
  first_pass<<<10, 32>>>(values, partial);
  second_pass<<<1, 1>>>(partial, 16, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(partial);
  cudaFree(sum);
  return cudaGetLastError();
}
