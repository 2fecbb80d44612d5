// The whole tree stands inside `if (i < n)`: in the last block some threads never come.
#include <cstdio>

__global__ void tree(const int* values, int n, int* sum) {
  __shared__ int partial[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  partial[threadIdx.x] = 0;
  if (i < n) {
    partial[threadIdx.x] = values[i];
    __syncthreads();  // EXPECT(divergent_barrier)
    for (unsigned s = 32; s > 0; s /= 2) {
      if (threadIdx.x < s)
        partial[threadIdx.x] += partial[threadIdx.x + s];  // ALSO(race) ALSO(warp_synchronous)
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 100 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 100 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  tree<<<2, 64>>>(values, 100, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
