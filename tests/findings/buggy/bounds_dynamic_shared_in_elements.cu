// The size of dynamic shared memory is given in elements; it is counted in bytes.
#include <cstdio>

__global__ void reverse(int* values, int n) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = values[threadIdx.x];  // EXPECT(out_of_bounds)
  __syncthreads();
  values[threadIdx.x] = shared[n - 1 - threadIdx.x];
}

int main() {
  const int n = 128;
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  reverse<<<1, n, n>>>(values, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
