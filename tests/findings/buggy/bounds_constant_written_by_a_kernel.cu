// A kernel stores to __constant__ memory through a cast.
#include <cstdio>

__constant__ int table[32];

__global__ void change(int* values) {
  int* writable = const_cast<int*>(&table[0]);
  writable[threadIdx.x] = 1;  // EXPECT(out_of_bounds)
  values[threadIdx.x] = table[threadIdx.x];
}

int main() {
  int* values;
  int host[32] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  change<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[31]);
  cudaFree(values);
  return cudaGetLastError();
}
