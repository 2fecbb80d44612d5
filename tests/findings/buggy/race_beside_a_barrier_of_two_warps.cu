// The barrier orders the two warps that meet at it; the third reads what they have written all the same.
#include <cstdio>

__global__ void meet(int* values) {
  __shared__ int shared[96];
  const unsigned i = threadIdx.x;
  shared[i] = static_cast<int>(i);  // OTHER(race)
  if (i < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
  values[i] = shared[95 - i];  // EXPECT(race) ALSO(uninitialised_read)
}

int main() {
  int* values;
  int host[96] = {};
  cudaMalloc(&values, sizeof host);
  meet<<<1, 96>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[95]);
  cudaFree(values);
  return cudaGetLastError();
}
