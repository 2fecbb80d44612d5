// The mask names the lower half, and the upper half calls, too.
#include <cstdio>

__global__ void broadcast(int* values) {
  const int lane = threadIdx.x;
  values[lane] = __shfl_sync(0x0000ffffu, values[lane], 0);  // EXPECT(deadlock)
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  broadcast<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
