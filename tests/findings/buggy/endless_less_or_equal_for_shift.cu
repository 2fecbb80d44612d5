// Once printed in a textbook: `s <= 1` compares where `s <<= 1` was meant.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[64];
  const unsigned tid = threadIdx.x;
  partial[tid] = values[tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s <= 1) {  // EXPECT(endless_loop)
    const unsigned index = 2 * s * tid;
    if (index < blockDim.x) partial[index] += partial[index + s];  // ALSO(endless_loop)
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
