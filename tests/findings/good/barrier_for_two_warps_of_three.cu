// Two of the three warps meet at a barrier that counts their threads.
#include <cstdio>

__global__ void meet(int* values) {
  if (threadIdx.x < 64) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    asm volatile("bar.sync 1, 64;" ::: "memory");
    values[96 + threadIdx.x] = values[63 - threadIdx.x];
  } else {
    values[threadIdx.x] = 7;
  }
}

int main() {
  int* values;
  int host[192] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  meet<<<1, 96>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[100]);
  cudaFree(values);
  return cudaGetLastError();
}
