// The thread's own sum was never set to 0: what the compiler makes of that is its own affair.
#include <cstdio>

__global__ void sums(const int* values, int* results) {
  int sum;
  for (int k = 0; k < 4; ++k) sum += values[4 * threadIdx.x + k];  // EXPECT(schedule_dependent)
  results[threadIdx.x] = sum;
}

int main() {
  int *values, *results;
  int host[32];
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&results, sizeof host);
  cudaMemset(values, 1, 128 * sizeof(int));
  sums<<<1, 32>>>(values, results);
  cudaMemcpy(host, results, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[31]);
  cudaFree(values);
  cudaFree(results);
  return cudaGetLastError();
}
