// An unsigned number is never below zero.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[64];
  const unsigned tid = threadIdx.x;
  partial[tid] = values[tid];
  __syncthreads();
  for (unsigned s = 32; s >= 0; s /= 2) {           // EXPECT(endless_loop)
    if (tid < s) partial[tid] += partial[tid + s];  // ALSO(endless_loop)
    __syncthreads();
  }
  if (tid == 0) *sum = partial[0];
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  tree<<<1, 64>>>(values, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
