// Each block reads what its neighbour in the cluster stores, but only the block itself waits in between.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap(int* results) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (threadIdx.x == 0) value = blockIdx.x + 1;  // EXPECT(race)
  __syncthreads();
  const int* there = cluster.map_shared_rank(&value, 1 - cluster.block_rank());
  if (threadIdx.x == 0) results[blockIdx.x] = *there;  // OTHER(race) ALSO(uninitialised_read)
  cluster.sync();
}

int main() {
  int* results;
  cudaMalloc(&results, 4 * sizeof(int));
  swap<<<4, 32>>>(results);
  cudaDeviceSynchronize();
  cudaFree(results);
}
