// Block 0 normalises by a sum that the other blocks may still be adding to.
#include <cstdio>

__global__ void normalise(const float* values, float* sum, float* first) {
  atomicAdd(sum, values[blockIdx.x * 64 + threadIdx.x]);  // OTHER(race)
  __syncthreads();
  if (blockIdx.x == 0) first[threadIdx.x] = values[threadIdx.x] / *sum;  // EXPECT(race)
}

int main() {
  float *values, *sum, *first;
  cudaMalloc(&values, 256 * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&first, 64 * sizeof(float));
  cudaMemset(values, 0, 256 * sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  normalise<<<4, 64>>>(values, sum, first);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  cudaFree(first);
  return error;
}
