// Half of a tile's threads synchronise it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ void swap_neighbours(cg::thread_block_tile<8> tile, int* values) {
  if (tile.thread_rank() < 4) {
    values[threadIdx.x] += 1;
    tile.sync();  // EXPECT(deadlock)
  }
}  // OTHER(deadlock)
__global__ void run(int* values) {
  swap_neighbours(cg::tiled_partition<8>(cg::this_thread_block()), values);
}

int main() {
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  run<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
