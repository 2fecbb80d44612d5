// The two halves of the block give different numbers of threads to one barrier.
#include <cstdio>

__global__ void meet(int* values) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // ALSO(divergent_barrier)
  } else {
    asm volatile("bar.sync 1, 32;" ::: "memory");  // EXPECT(divergent_barrier)
  }
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
