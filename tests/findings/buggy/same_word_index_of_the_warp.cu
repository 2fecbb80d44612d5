// The place is the warp's, but every lane stores there: its own value, not the warp's sum.
#include <cstdio>

__global__ void warp_sums(const int* values, int* sums) {
  __shared__ int of_warp[2];
  int mine = values[threadIdx.x] + threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  of_warp[threadIdx.x / 32] = mine;  // EXPECT(same_word_store)
  __syncthreads();
  if (threadIdx.x < 2) sums[threadIdx.x] = of_warp[threadIdx.x];
}

int main() {
  int *values, *sums;
  int host[2];
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sums, sizeof host);
  cudaMemset(values, 1, 64 * sizeof(int));
  warp_sums<<<1, 64>>>(values, sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(values);
  cudaFree(sums);
  return cudaGetLastError();
}
