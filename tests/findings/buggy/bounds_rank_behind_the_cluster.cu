// The last block of a cluster has no right neighbour.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) shift(int* results) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) value = blockIdx.x;
  cluster.sync();
  const int* right = cluster.map_shared_rank(&value, cluster.block_rank() + 1);
  if (threadIdx.x == 0) results[blockIdx.x] = *right;  // EXPECT(out_of_bounds)
  cluster.sync();
}

int main() {
  int* results;
  cudaMalloc(&results, 4 * sizeof(int));
  shift<<<4, 32>>>(results);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(results);
  return error;
}
