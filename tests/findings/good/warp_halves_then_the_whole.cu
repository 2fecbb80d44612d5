// Each half synchronises its own lanes, then the halves meet in pairs, which is enough for all.
#include <cstdio>

__global__ void halves(int* values) {
  __shared__ int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = values[lane] + lane;
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  __syncwarp();
  values[lane] = shared[31 - lane];
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
