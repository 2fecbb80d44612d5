// Blocks add to one element of managed memory without an atomic operation.
#include <cstdio>

__global__ void add(int* sum) {
  if (threadIdx.x == 0) *sum += 1;  // EXPECT(race)
}

int main() {
  int* sum;
  cudaMallocManaged(&sum, sizeof(int));
  *sum = 0;
  add<<<8, 32>>>(sum);
  cudaDeviceSynchronize();
  std::printf("%d\n", *sum);
  cudaFree(sum);
  return cudaGetLastError();
}
