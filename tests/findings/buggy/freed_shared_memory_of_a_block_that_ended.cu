// Nothing keeps a block there until its neighbour has read its shared memory.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* results) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = blockIdx.x + 1;
  cluster.sync();
  const int* there = cluster.map_shared_rank(&value, 1 - cluster.block_rank());
  if (threadIdx.x == 0) results[blockIdx.x] = *there;  // EXPECT(use_after_free)
}

int main() {
  int* results;
  cudaMalloc(&results, 4 * sizeof(int));
  swap<<<4, 32>>>(results);
  cudaDeviceSynchronize();
  cudaFree(results);
}
