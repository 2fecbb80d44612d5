// The second of two names for one allocation is freed by a function whose last call that is.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

__attribute__((noinline)) cudaError_t release(int* values) {
  return cudaFree(values);  // EXPECT(use_after_free)
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
  return release(results);
}
