// `continue` jumps over the barrier at the end of the round.
#include <cstdio>

__global__ void rounds(int* values, int count) {
  __shared__ int shared[64];
  shared[threadIdx.x] = 0;
  __syncthreads();
  for (int k = 0; k < count; ++k) {  // OTHER(divergent_barrier)
    if (threadIdx.x % 32 < 16 && k == 1) continue;
    shared[threadIdx.x] += k;
    __syncthreads();  // EXPECT(divergent_barrier)
  }
  __syncthreads();
  values[threadIdx.x] = shared[threadIdx.x];
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  rounds<<<1, 64>>>(values, 3);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
