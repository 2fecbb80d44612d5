// Two stages of a pipeline: the thread waits until one group of copies is left, and uses that group's tile.
#include <cuda_pipeline.h>

__global__ void sums(const int* from, int* to, int tiles) {
  __shared__ int tile[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&tile[0][t], &from[t], sizeof(int));  // OTHER(race)
  __pipeline_commit();
  for (int i = 0; i < tiles; ++i) {
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[i % 2][63 - t];  // EXPECT(race)
    __syncthreads();
    if (i + 1 < tiles)
      __pipeline_memcpy_async(&tile[(i + 1) % 2][t], &from[64 * (i + 1) + t], sizeof(int));  // OTHER(race)
    __pipeline_commit();
  }
  to[t] = sum;
}

int main() {
  int *from, *to;
  cudaMalloc(&from, 256 * sizeof(int));
  cudaMalloc(&to, 64 * sizeof(int));
  cudaMemset(from, 0, 256 * sizeof(int));
  sums<<<1, 64>>>(from, to, 4);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(from);
  cudaFree(to);
  return ok ? 0 : 1;
}
