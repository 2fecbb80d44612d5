// A scan within one warp: right on chips whose lanes run in step, wrong where one lane may be a step ahead.
#include <cstdio>

__global__ void scan(int* values) {
  __shared__ volatile int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = values[lane];  // OTHER(warp_synchronous)
  for (int offset = 1; offset < 32; offset *= 2) {
    if (lane >= offset) shared[lane] += shared[lane - offset];  // EXPECT(warp_synchronous)
  }
  values[lane] = shared[lane];
}

int main() {
  int* values;
  int host[32];
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 1, sizeof host);
  scan<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[31]);
  cudaFree(values);
  return cudaGetLastError();
}
