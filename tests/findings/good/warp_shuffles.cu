// Sums by shuffles: down in each warp, through shared memory once, xor in the first warp.
#include <cstdio>

__global__ void block_sum(const int* values, int n, int* sum) {
  __shared__ int of_warp[8];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  int mine = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) mine += values[i];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp != 0) return;
  mine = lane < 8 ? of_warp[lane] : 0;
  for (int offset = 4; offset > 0; offset /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, offset);
  if (lane == 0) atomicAdd(sum, mine);
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 5000 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 5000 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  block_sum<<<4, 256>>>(values, 5000, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
