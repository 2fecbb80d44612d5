// Lane 0 reserves places for its warp; the others read where without waiting for it.
#include <cstdio>

__global__ void append(const int* values, int* places, int* next) {
  __shared__ int base;
  const unsigned lane = threadIdx.x;
  if (lane == 0) base = atomicAdd(next, 32);  // OTHER(warp_synchronous)
  places[base + lane] = values[lane];         // EXPECT(warp_synchronous)
}

int main() {
  int *values, *places, *next;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&places, 32 * sizeof(int));
  cudaMalloc(&next, sizeof(int));
  cudaMemset(values, 1, 32 * sizeof(int));
  cudaMemset(next, 0, sizeof(int));
  append<<<1, 32>>>(values, places, next);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(places);
  cudaFree(next);
  return error;
}
