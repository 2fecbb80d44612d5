// Linear probing in a table that has no free place left.
#include <cstdio>

__global__ void insert(const unsigned* keys, unsigned* table, unsigned size) {
  unsigned at = keys[threadIdx.x] % size;
  while (atomicCAS(&table[at], 0u, keys[threadIdx.x]) != 0u) {  // EXPECT(endless_loop)
    at = (at + 1) % size;
  }
}

int main() {
  unsigned *keys, *table;
  cudaMalloc(&keys, 32 * sizeof(unsigned));
  cudaMalloc(&table, 16 * sizeof(unsigned));
  cudaMemset(keys, 1, 32 * sizeof(unsigned));
  cudaMemset(table, 0, 16 * sizeof(unsigned));
  insert<<<1, 32>>>(keys, table, 16);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(keys);
  cudaFree(table);
  return error;
}
