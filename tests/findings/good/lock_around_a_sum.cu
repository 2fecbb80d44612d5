// A spin lock taken by one thread a block, with a fence before it is given back and after it is taken.
#include <cstdio>

__device__ int lock = 0;

__global__ void add(const int* values, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += values[blockIdx.x];
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 16 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 16 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<16, 32>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
