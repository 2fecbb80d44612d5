// All lanes store the result at once. It is the same value here, and one store would do.
#include <cstdio>

__global__ void first_of(const int* values, int* first) {
  __shared__ int shared[32];
  shared[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  *first = shared[0];  // EXPECT(same_value_store)
}

int main() {
  int *values, *first;
  int result = 0;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&first, sizeof(int));
  cudaMemset(values, 1, 32 * sizeof(int));
  first_of<<<1, 32>>>(values, first);
  cudaMemcpy(&result, first, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(first);
  return cudaGetLastError();
}
