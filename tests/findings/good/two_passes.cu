// Partial sums by one launch, their sum by the next: launches of one stream are ordered.
#include <cstdio>

__global__ void pass(const int* values, int n, int* partial) {
  __shared__ int shared[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  shared[threadIdx.x] = i < n ? values[i] : 0;
  __syncthreads();
  for (unsigned s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

int main() {
  int *values, *partial, *sum;
  int result = 0;
  cudaMalloc(&values, 3000 * sizeof(int));
  cudaMalloc(&partial, 47 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 3000 * sizeof(int));
  pass<<<47, 64>>>(values, 3000, partial);
  pass<<<1, 64>>>(partial, 47, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(partial);
  cudaFree(sum);
  return cudaGetLastError();
}
