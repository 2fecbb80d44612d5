// Each block stores its number into one element, through volatile: which of them stays is not defined.
#include <cstdio>

__global__ void last_one(volatile int* element) {
  if (threadIdx.x == 0) element[2] = static_cast<int>(blockIdx.x) + 1;  // EXPECT(race)
}

int main() {
  int* values;
  int host[4] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  last_one<<<8, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[2]);
  cudaFree(values);
  return cudaGetLastError();
}
