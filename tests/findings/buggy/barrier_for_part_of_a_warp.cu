// A barrier for 48 threads: the number has to be one of whole warps.
#include <cstdio>

__global__ void meet(int* values) {
  if (threadIdx.x < 48) asm volatile("bar.sync 1, 48;" ::: "memory");  // EXPECT(divergent_barrier)
  values[threadIdx.x] = 1;
}

int main() {
  int* values;
  int host[64] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  meet<<<1, 64>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[63]);
  cudaFree(values);
  return cudaGetLastError();
}
