// Every block adds to one place in global memory with a plain +=.
#include <cstdio>

__global__ void block_sums(const int* values, int* sum) {
  __shared__ int partial[64];
  partial[threadIdx.x] = values[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int k = 0; k < 64; ++k) mine += partial[k];
    *sum += mine;  // EXPECT(race)
  }
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 512 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 512 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  block_sums<<<8, 64>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
