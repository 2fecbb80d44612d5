// The kernel adds to managed memory that the host has set itself, byte by byte.
#include <cstdio>

__global__ void add(int* values) {
  values[threadIdx.x] += 1;
}

int main() {
  int* values;
  cudaMallocManaged(&values, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) values[i] = i;
  add<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  std::printf("%d\n", values[3] > 0);
  cudaFree(values);
  return cudaGetLastError();
}
