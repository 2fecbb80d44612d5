// Threads past the end leave their place in shared memory as it was, and the tree adds it up.
#include <cstdio>

__global__ void tree(const int* values, int n, int* sum) {
  __shared__ int partial[128];
  const unsigned tid = threadIdx.x;
  if (tid < n) partial[tid] = values[tid];
  __syncthreads();
  for (unsigned s = 64; s > 0; s /= 2) {
    if (tid < s) partial[tid] += partial[tid + s];  // EXPECT(uninitialised_read)
    __syncthreads();
  }
  if (tid == 0) *sum = partial[0];
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 100 * sizeof(int));
  tree<<<1, 128>>>(values, 100, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
