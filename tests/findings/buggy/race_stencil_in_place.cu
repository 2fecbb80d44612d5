// Each value becomes the mean of its neighbours, in place: at a block's edge they are another block's.
#include <cstdio>

__global__ void smooth(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mean = 0;
  if (i > 0 && i + 1 < n) mean = (values[i - 1] + values[i] + values[i + 1]) / 3;  // OTHER(race)
  __syncthreads();
  if (i > 0 && i + 1 < n) values[i] = mean;  // EXPECT(race)
}

int main() {
  float* values;
  cudaMalloc(&values, 512 * sizeof(float));
  cudaMemset(values, 0, 512 * sizeof(float));
  smooth<<<4, 128>>>(values, 512);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
