// One way out of main forgets to free.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;
}

int main() {
  int* values;
  int last = 0;
  cudaMalloc(&values, 64 * sizeof(int));  // EXPECT(leak)
  fill<<<1, 64>>>(values);
  cudaMemcpy(&last, values + 63, sizeof(int), cudaMemcpyDeviceToHost);
  if (last == 63) return 0;
  std::printf("wrong: %d\n", last);
  cudaFree(values);
  return cudaGetLastError();
}
