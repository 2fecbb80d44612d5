// atomicAdd_block is atomic among the threads of one block; here all blocks add to one word.
#include <cstdio>

__global__ void count(int* counter) {
  if (threadIdx.x == 0) atomicAdd_block(counter, 1);  // EXPECT(race)
}

int main() {
  int* values;
  int host[4] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  count<<<8, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[3]);
  cudaFree(values);
  return cudaGetLastError();
}
