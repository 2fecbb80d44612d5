// Lanes swap values in pairs through shared memory and rely on running in step.
#include <cstdio>

__global__ void swap_pairs(int* values) {
  __shared__ int shared[32];
  const unsigned lane = threadIdx.x;
  shared[lane] = values[lane];      // OTHER(warp_synchronous)
  values[lane] = shared[lane ^ 1];  // EXPECT(warp_synchronous)
}

int main() {
  int* values;
  int host[32] = {1, 2};
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  swap_pairs<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(values);
  return cudaGetLastError();
}
