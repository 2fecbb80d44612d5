// The launch does not ask for the dynamic shared memory that the kernel uses.
#include <cstdio>

__global__ void sum(const float* values, float* result) {
  extern __shared__ float partial[];
  partial[threadIdx.x] = values[threadIdx.x];  // EXPECT(out_of_bounds)
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = partial[0];
}

int main() {
  float *values, *result;
  cudaMalloc(&values, 64 * sizeof(float));
  cudaMalloc(&result, sizeof(float));
  cudaMemset(values, 0, 64 * sizeof(float));
  sum<<<1, 64>>>(values, result);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(result);
  return error;
}
