// __syncwarp() waits for the lanes that went the other way and wait for these in turn.
#include <cstdio>

__global__ void exchange(int* values) {
  __shared__ int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = values[lane];
  if (lane % 2 == 0) {
    __syncwarp();  // EXPECT(deadlock)
    values[lane] = shared[lane + 1];
  } else {
    __shfl_sync(0xffffffffu, lane, 0);  // OTHER(deadlock)
  }
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  exchange<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
