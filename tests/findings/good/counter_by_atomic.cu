// The same counter by an atomic operation.
#include <cstdio>

__global__ void count(int* counter) {
  if (threadIdx.x == 0) atomicAdd(counter, 1);
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
