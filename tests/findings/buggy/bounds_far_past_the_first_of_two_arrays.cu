// The index goes far past the first array, to where the second one would lie.
#include <cstdio>

__global__ void far(int* first, const int* second) {
  first[threadIdx.x + 100000] = second[threadIdx.x];  // EXPECT(out_of_bounds)
}

int main() {
  int *first, *second;
  cudaMalloc(&first, 64 * sizeof(int));
  cudaMalloc(&second, 1000000 * sizeof(int));
  cudaMemset(second, 0, 1000000 * sizeof(int));
  far<<<1, 64>>>(first, second);
  cudaDeviceSynchronize();
  cudaFree(first);
  cudaFree(second);
  return cudaGetLastError();
}
