// Each half of the warp synchronises its own lanes, and reads what the other half has stored.
#include <cstdio>

__global__ void halves(int* values) {
  __shared__ int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = values[lane] + lane;  // OTHER(warp_synchronous)
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  values[lane] = shared[31 - lane];  // EXPECT(warp_synchronous)
}

int main() {
  int* values;
  int host[32] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  halves<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[31]);
  cudaFree(values);
  return cudaGetLastError();
}
