// Half of the block waits at a barrier that the other half never reaches.
#include <cstdio>

__global__ void half(int* values) {
  __shared__ int shared[64];
  shared[threadIdx.x] = values[threadIdx.x];
  if (threadIdx.x < 48) {
    shared[threadIdx.x] += 1;
    __syncthreads();  // EXPECT(divergent_barrier)
  }
  values[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  half<<<1, 64>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
