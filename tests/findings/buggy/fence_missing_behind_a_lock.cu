// The lock is given back behind a fence, but none stands behind its taking: the load may come before it.
#include <cstdio>

__device__ int lock = 0;

__global__ void add(const int* values, int* sum) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  *sum += values[blockIdx.x];  // EXPECT(missing_fence)
  __threadfence();
  atomicExch(&lock, 0);
}

int main() {
  int* values;
  int host[16] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  add<<<8, 32>>>(values, values + 8);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[8]);
  cudaFree(values);
  return cudaGetLastError();
}
