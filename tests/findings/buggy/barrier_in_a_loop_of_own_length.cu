// Each warp makes as many rounds as it has work, with a barrier in each.
#include <cstdio>

__global__ void rounds(int* values) {
  __shared__ int shared[128];
  shared[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned k = 0; k <= threadIdx.x / 32; ++k) {
    shared[threadIdx.x] += k;
    __syncthreads();  // EXPECT(divergent_barrier)
  }
  __syncthreads();  // OTHER(divergent_barrier)
  values[threadIdx.x] = shared[127 - threadIdx.x];
}

int main() {
  int* values;
  cudaMalloc(&values, 128 * sizeof(int));
  rounds<<<1, 128>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
