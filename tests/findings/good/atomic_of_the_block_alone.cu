// atomicAdd_block where each block has a word of its own.
#include <cstdio>

__global__ void count(int* counters) {
  atomicAdd_block(&counters[blockIdx.x], 1);
}

int main() {
  int* values;
  int host[8] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  count<<<8, 64>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[7]);
  cudaFree(values);
  return cudaGetLastError();
}
