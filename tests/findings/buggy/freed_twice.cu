// Two names for one allocation, each freed.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  int* results = values;
  fill<<<1, 64>>>(values);
  int last = 0;
  cudaMemcpy(&last, results + 63, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(values);
  const cudaError_t error = cudaFree(results);  // EXPECT(use_after_free)
  return error;
}
