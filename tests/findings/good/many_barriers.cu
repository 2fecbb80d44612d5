// Five thousand steps in global memory with a barrier behind each.
#include <cstdio>

__global__ void steps(int* values) {
  const int i = threadIdx.x;
  for (int k = 0; k < 5000; ++k) {
    values[i] = k + i;
    __syncthreads();
  }
  values[64 + i] = values[63 - i];
}

int main() {
  int* values;
  int host[128] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  steps<<<1, 64>>>(values);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[64]);
  cudaFree(values);
  return cudaGetLastError();
}
