// The kernel adds to managed memory that neither the host nor a kernel has set.
#include <cstdio>

__global__ void add(int* values) {
  values[threadIdx.x] += 1;  // EXPECT(uninitialised_read)
}

int main() {
  int* values;
  cudaMallocManaged(&values, 64 * sizeof(int));
  add<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  std::printf("%d\n", values[3] > 0);
  cudaFree(values);
  return cudaGetLastError();
}
