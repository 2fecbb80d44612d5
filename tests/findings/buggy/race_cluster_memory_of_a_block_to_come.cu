// The first block adds to the shared memory of the others, which need not have begun, nor set it to 0.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) tell(int* results) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) sum = 0;  // ALSO(race)
  __syncthreads();
  if (cluster.block_rank() == 0 && threadIdx.x < 4) {
    int* there = cluster.map_shared_rank(&sum, threadIdx.x);
    atomicAdd(there, 1);  // EXPECT(race) ALSO(uninitialised_read)
  }
  cluster.sync();
  if (threadIdx.x == 0) results[blockIdx.x] = sum;
}

int main() {
  int* results;
  cudaMalloc(&results, 4 * sizeof(int));
  tell<<<4, 32>>>(results);
  cudaDeviceSynchronize();
  cudaFree(results);
}
