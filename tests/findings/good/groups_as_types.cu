// Groups as variables, parameters and members: tiles of tiles, tiles of several warps, any group.
#include <cstdlib>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

template <unsigned int Size>
__device__ int sum_of(cg::thread_block_tile<Size> tile, int value) {
  for (int step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
  return tile.shfl(value, 0);
}
__device__ int sum_of_any(cg::thread_group group, int* scratch, int value) {
  const int rank = group.thread_rank();
  for (int step = group.size() / 2; step > 0; step /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < step) value += scratch[rank + step];
    cg::synchronize(group);
  }
  return value;
}

__global__ void groups(const int* input, int* results) {
  __shared__ int scratch[128];
  __shared__ int copy[128];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<4, cg::thread_block_tile<32>> quad = cg::tiled_partition<4>(warp);
  auto half_block = cg::tiled_partition<64>(block);
  int r[8] = {};
  r[0] = sum_of(warp, 1);
  r[1] = quad.meta_group_size();
  r[2] = sum_of_any(block, scratch, 1);
  r[3] = cg::reduce(half_block, (int)threadIdx.x, cg::plus<int>());
  r[4] = cg::inclusive_scan(quad, 1, cg::plus<int>());
  r[5] = cg::exclusive_scan(warp, 2);
  cg::memcpy_async(block, copy, input, sizeof copy);
  cg::wait(block);
  r[6] = copy[127 - threadIdx.x];
  if (threadIdx.x % 4 == 1) {
    cg::coalesced_group together = cg::coalesced_threads();
    r[7] = together.size() + cg::reduce(together, 1, cg::plus<int>());
  }
  for (int i = 0; i < 8; ++i) results[threadIdx.x * 8 + i] = r[i];
}

int main() {
  int* input;
  int* results;
  cudaMallocManaged(&input, 128 * sizeof(int));
  cudaMallocManaged(&results, 1024 * sizeof(int));
  for (int i = 0; i < 128; ++i) input[i] = i;
  groups<<<1, 128>>>(input, results);
  cudaDeviceSynchronize();
  const int* of_5 = results + 5 * 8;
  const int* of_100 = results + 100 * 8;
  if (of_5[0] != 32 || of_5[1] != 8 || results[2] != 128) abort();
  if (of_5[3] != 63 * 32 || of_100[3] != 63 * 32 + 64 * 64) abort();
  if (of_5[4] != 2 || of_5[5] != 10 || of_100[6] != 27 || of_5[7] != 16) abort();
  cudaFree(input);
  cudaFree(results);
}
