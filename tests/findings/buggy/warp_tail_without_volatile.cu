// The last warp of a tree as first published: "a warp runs in step, so it needs no synchronisation".
#include <cstdio>

__device__ void last_warp(int* shared, unsigned tid) {
  // EXPECT-NEXT(warp_synchronous)
  for (unsigned s = 32; s > 0; s /= 2) shared[tid] += shared[tid + s];
}

__global__ void tree(const int* values, int* sum) {
  __shared__ int shared[128];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  if (tid < 64) shared[tid] += shared[tid + 64];
  __syncthreads();
  if (tid < 32) last_warp(shared, tid);
  if (tid == 0) *sum = shared[0];
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 128 * sizeof(int));
  tree<<<1, 128>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
