// The last warp of a tree with the two __syncwarp() that each step needs.
#include <cstdio>

__device__ int step(int* shared, unsigned tid, unsigned s, int mine) {
  mine += shared[tid + s];
  __syncwarp();
  shared[tid] = mine;
  __syncwarp();
  return mine;
}

__global__ void tree(const int* values, int* sum) {
  __shared__ int shared[64];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  if (tid >= 32) return;
  int mine = shared[tid];
  for (unsigned s = 32; s > 0; s /= 2) mine = step(shared, tid, s, mine);
  if (tid == 0) *sum = mine;
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 64 * sizeof(int));
  tree<<<1, 64>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
