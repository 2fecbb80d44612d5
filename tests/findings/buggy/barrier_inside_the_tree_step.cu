// The barrier slipped into the `if`: threads that rest in a step do not meet it.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[128];
  const unsigned tid = threadIdx.x;
  partial[tid] = values[tid];
  __syncthreads();
  for (unsigned s = 64; s > 0; s /= 2) {
    if (tid < s) {
      partial[tid] += partial[tid + s];
      __syncthreads();  // EXPECT(divergent_barrier)
    }
  }
  __syncthreads();  // OTHER(divergent_barrier)
  if (tid == 0) *sum = partial[0];
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 128 * sizeof(int));
  tree<<<1, 128>>>(values, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
