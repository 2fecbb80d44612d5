// The last block reads the others' sums; without __threadfence() it may see the ticket before the sum.
#include <cstdio>

__device__ unsigned ticket = 0;

__global__ void single_pass(const int* values, int* partial, int* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    int mine = 0;
    for (int k = 0; k < 32; ++k) mine += values[blockIdx.x * 32 + k];
    partial[blockIdx.x] = mine;  // OTHER(race)
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int total = 0;
  for (unsigned k = 0; k < gridDim.x; ++k) total += partial[k];  // EXPECT(race)
  *sum = total;
}

int main() {
  int *values, *partial, *sum;
  int result = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&partial, 8 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  single_pass<<<8, 32>>>(values, partial, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(partial);
  cudaFree(sum);
  return cudaGetLastError();
}
