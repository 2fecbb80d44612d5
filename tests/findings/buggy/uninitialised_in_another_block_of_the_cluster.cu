// Only the first block of a cluster sets its value, and all read that of their neighbour.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) shift(int* results) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0 && cluster.block_rank() == 0) value = 7;
  cluster.sync();
  const int* right = cluster.map_shared_rank(&value, (cluster.block_rank() + 1) % cluster.num_blocks());
  if (threadIdx.x == 0) results[blockIdx.x] = *right;  // EXPECT(uninitialised_read)
  cluster.sync();
}

int main() {
  int* results;
  cudaMalloc(&results, 4 * sizeof(int));
  shift<<<4, 32>>>(results);
  cudaDeviceSynchronize();
  cudaFree(results);
}
