// A pass writes its partial sums over its own input, which other blocks have yet to read.
#include <cstdio>

__global__ void pass(int* values) {
  __shared__ int partial[64];
  partial[threadIdx.x] = values[blockIdx.x * 64 + threadIdx.x];  // OTHER(race)
  __syncthreads();
  for (unsigned s = 32; s > 0; s /= 2) {
    if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) values[blockIdx.x] = partial[0];  // EXPECT(race)
}

int main() {
  int* values;
  int result = 0;
  cudaMalloc(&values, 4096 * sizeof(int));
  cudaMemset(values, 1, 4096 * sizeof(int));
  pass<<<64, 64>>>(values);
  pass<<<1, 64>>>(values);
  cudaMemcpy(&result, values, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  return cudaGetLastError();
}
