// The first warp collects the warps' sums before the other warps have stored them.
#include <cstdio>

__device__ int warp_sum(int mine) {
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  return mine;
}

__global__ void block_sum(const int* values, int* sum) {
  __shared__ int of_warp[8];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const int mine = warp_sum(values[threadIdx.x]);
  if (lane == 0) of_warp[warp] = mine;  // OTHER(race) OTHER(uninitialised_read)
  if (warp == 0) {
    // EXPECT-NEXT(race) ALSO-NEXT(uninitialised_read) ALSO-NEXT(warp_synchronous)
    const int total = warp_sum(lane < 8 ? of_warp[lane] : 0);
    if (lane == 0) *sum = total;
  }
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  block_sum<<<1, 256>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
