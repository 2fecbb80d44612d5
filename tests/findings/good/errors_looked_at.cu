// A launch that fails on purpose, looked at and put right.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 2000;
  int* values;
  if (cudaMalloc(&values, n * sizeof(int)) != cudaSuccess) return 1;
  int threads = 2048;
  fill<<<1, threads>>>(values, n);
  while (cudaGetLastError() != cudaSuccess) {
    threads /= 2;
    fill<<<(n + threads - 1) / threads, threads>>>(values, n);
  }
  int last = 0;
  const cudaError_t error = cudaMemcpy(&last, values + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d threads, %d, %s\n", threads, last, cudaGetErrorString(error));
  return cudaFree(values);
}
