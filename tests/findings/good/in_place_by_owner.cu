// A grid-stride loop that changes values in place: each belongs to one thread, in every kernel.
#include <cstdio>

__global__ void axpy(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += a * x[i];
}

int main() {
  const int n = 1000;
  float host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  float *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(y, x, sizeof host, cudaMemcpyDeviceToDevice);
  axpy<<<3, 64>>>(2.0f, x, y, n);
  axpy<<<2, 128>>>(-1.0f, x, y, n);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[999]);
  cudaFree(x);
  cudaFree(y);
  return cudaGetLastError();
}
