// The tree halves blockDim; for 48 threads half of 3 is 1, and before that the right half is not there.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[48];
  const unsigned tid = threadIdx.x;
  partial[tid] = values[tid];
  __syncthreads();
  for (unsigned s = 32; s > 0; s /= 2) {
    if (tid < s) partial[tid] += partial[tid + s];  // EXPECT(out_of_bounds)
    __syncthreads();
  }
  if (tid == 0) *sum = partial[0];
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 48 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 48 * sizeof(int));
  tree<<<1, 48>>>(values, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
