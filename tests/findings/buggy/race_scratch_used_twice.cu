// A block's sum, twice, with the same scratch: the second call overwrites what the first one's readers need.
#include <cstdio>

__device__ int block_max(int mine) {
  __shared__ int of_warp[4];
  for (int offset = 16; offset > 0; offset /= 2) mine = max(mine, __shfl_xor_sync(0xffffffffu, mine, offset));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;  // EXPECT(race)
  __syncthreads();
  return max(max(of_warp[0], of_warp[1]), max(of_warp[2], of_warp[3]));  // OTHER(race)
}

__global__ void range(const int* values, int* result) {
  const int largest = block_max(values[threadIdx.x]);
  const int smallest = -block_max(-values[threadIdx.x]);
  if (threadIdx.x == 0) *result = largest - smallest;
}

int main() {
  int *values, *range_of_values;
  int result = 0;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&range_of_values, sizeof(int));
  cudaMemset(values, 1, 128 * sizeof(int));
  range<<<1, 128>>>(values, range_of_values);
  cudaMemcpy(&result, range_of_values, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(range_of_values);
  return cudaGetLastError();
}
