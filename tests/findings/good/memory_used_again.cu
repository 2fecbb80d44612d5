// Memory is freed and allocated again; the new owner writes before it reads.
#include <cstdio>

__global__ void fill(int* values, int first) {
  values[threadIdx.x] = first + threadIdx.x;
}

int main() {
  int total = 0;
  for (int k = 0; k < 5; ++k) {
    int *values, *copy;
    int host[32];
    cudaMalloc(&values, sizeof host);
    cudaMalloc(&copy, sizeof host);
    fill<<<1, 32>>>(values, k);
    cudaMemcpy(copy, values, sizeof host, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, copy, sizeof host, cudaMemcpyDeviceToHost);
    total += host[31];
    cudaFree(copy);
    cudaFree(values);
  }
  std::printf("%d\n", total);
  return cudaGetLastError();
}
