// A block copies a tile together, and meets at its barrier instead of waiting for the copy.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void reversed(const int* from, int* to) {
  __shared__ int tile[128];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, from, 128 * sizeof(int));  // OTHER(race)
  block.sync();
  to[threadIdx.x] = tile[127 - threadIdx.x];  // EXPECT(race)
}

int main() {
  int *from, *to;
  cudaMalloc(&from, 128 * sizeof(int));
  cudaMalloc(&to, 128 * sizeof(int));
  cudaMemset(from, 0, 128 * sizeof(int));
  reversed<<<1, 128>>>(from, to);
  const bool ok = cudaDeviceSynchronize() == cudaSuccess;
  cudaFree(from);
  cudaFree(to);
  return ok ? 0 : 1;
}
