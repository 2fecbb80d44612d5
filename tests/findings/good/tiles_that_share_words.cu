// Tiles and groups of a warp that each have a word of their own, which all of their lanes read and one sets.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <class Group>
__device__ int passed_on(const Group& group, int& word) {
  if (group.thread_rank() == 0) word = 5;
  group.sync();
  int sum = 0;
  for (int round = 0; round < 4; ++round) {
    sum += word;
    group.sync();
    if (group.thread_rank() == round % group.size()) word = round;
    group.sync();
    atomicAdd(&word, 1);
    group.sync();
  }
  return sum + word;
}

__global__ void tiles(int* values) {
  __shared__ int words[64];
  const auto block = cg::this_thread_block();
  const auto sixteen = cg::tiled_partition<16>(block);
  const auto four = cg::tiled_partition<4>(block);
  int sum = passed_on(sixteen, words[threadIdx.x / 16]);
  sum += passed_on(four, words[16 + threadIdx.x / 4]);
  values[threadIdx.x] = sum;
}

__global__ void groups(int* values) {
  __shared__ int words[2];
  if (threadIdx.x % 2 == 0)
    values[threadIdx.x] = passed_on(cg::coalesced_threads(), words[0]);
  else
    values[threadIdx.x] = passed_on(cg::coalesced_threads(), words[1]);
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  tiles<<<1, 64>>>(values);
  groups<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
