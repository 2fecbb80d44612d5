// __syncthreads_count, _and and _or: barriers with an answer.
#include <cstdio>

__global__ void sort_until_nothing_moves(int* values, int n) {
  __shared__ int shared[128];
  const int tid = threadIdx.x;
  shared[2 * tid] = values[2 * tid];
  shared[2 * tid + 1] = values[2 * tid + 1];
  int moved = 1;
  for (int round = 0; moved != 0; ++round) {
    moved = 0;
    for (int odd = 0; odd < 2; ++odd) {
      __syncthreads();
      const int at = 2 * tid + odd;
      if (at + 1 < n && shared[at] > shared[at + 1]) {
        const int larger = shared[at];
        shared[at] = shared[at + 1];
        shared[at + 1] = larger;
        moved = 1;
      }
    }
    moved = __syncthreads_or(moved);
  }
  const int positive = __syncthreads_count(shared[2 * tid] > 0);
  values[2 * tid] = shared[2 * tid] + positive;
  values[2 * tid + 1] = shared[2 * tid + 1];
}

int main() {
  int* values;
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = 37 * i % 128;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  sort_until_nothing_moves<<<1, 64>>>(values, 128);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[127]);
  cudaFree(values);
  return cudaGetLastError();
}
