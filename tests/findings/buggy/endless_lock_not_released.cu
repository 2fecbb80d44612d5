// The lock is taken by the first block and never given back.
#include <cstdio>

__device__ int lock = 0;

__global__ void add(int* sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) {  // EXPECT(endless_loop)
    }
    *sum += 1;  // ALSO(race)
    __threadfence();
  }
}

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<2, 32>>>(sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(sum);
  return error;
}
