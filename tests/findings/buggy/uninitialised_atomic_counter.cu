// The counter is added to atomically, and nobody has set it.
#include <cstdio>

__global__ void count(int* counter) {
  atomicAdd(counter, 1);  // EXPECT(uninitialised_read)
}

int main() {
  int* values;
  int host[1] = {};
  cudaMalloc(&values, sizeof host);
  count<<<2, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0] > 0);
  cudaFree(values);
  return cudaGetLastError();
}
