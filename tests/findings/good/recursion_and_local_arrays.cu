// Device functions that call themselves, and an array of each thread's own.
#include <cstdio>

__device__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void numbers(int* out) {
  int last[8];
  for (int k = 0; k < 8; ++k) last[k] = fibonacci(k + threadIdx.x % 3);
  int sum = 0;
  for (int k = 0; k < 8; ++k) sum += last[(k + threadIdx.x) % 8] * k;
  out[threadIdx.x] = sum;
}

int main() {
  int* out;
  int host[40];
  cudaMalloc(&out, sizeof host);
  numbers<<<1, 40>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[39]);
  cudaFree(out);
  return cudaGetLastError();
}
