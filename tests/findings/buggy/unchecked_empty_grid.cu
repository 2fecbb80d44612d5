// n / 256 is 0 for a small n: no block, an error, and no result.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 100;
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  fill<<<n / 256, 256>>>(values, n);  // EXPECT(unchecked_error)
  cudaFree(values);
}
