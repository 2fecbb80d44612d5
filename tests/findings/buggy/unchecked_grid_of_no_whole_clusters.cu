// 5 blocks are no multiple of clusters of 2: the launch is refused, and nobody asks.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) fill(int* results) {
  results[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
}

int main() {
  int* results;
  cudaMalloc(&results, 5 * sizeof(int));
  fill<<<5, 1>>>(results);  // EXPECT(unchecked_error)
  cudaDeviceSynchronize();
  cudaFree(results);
}
