// A block of 1025 threads is refused, and nobody asks.
#include <cstdio>

__global__ void fill(int* values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] = threadIdx.x;
}

int main() {
  const int n = 1025;
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  fill<<<1, n>>>(values, n);  // EXPECT(unchecked_error)
  cudaFree(values);
}
