// The halves of a warp take different ways; each synchronises its own lanes.
#include <cstdio>

__global__ void halves(int* values) {
  __shared__ int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = values[lane];
  if (lane < 16) {
    __syncwarp(0x0000ffffu);
    values[lane] = shared[15 - lane];
  } else {
    __syncwarp(0xffff0000u);
    values[lane] = shared[47 - lane] + __shfl_xor_sync(0xffff0000u, lane, 1);
  }
}

int main() {
  int* values;
  int host[32] = {3, 1, 4, 1, 5};
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  halves<<<1, 32>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[15], host[31]);
  cudaFree(values);
  return cudaGetLastError();
}
