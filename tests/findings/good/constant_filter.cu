// Weights in constant memory, copied there by name.
#include <cstdio>

__constant__ float weights[5];
__device__ int launches;

__global__ void convolve(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) launches += 1;
  if (i < 2 || i >= n - 2) return;
  float sum = 0;
  for (int k = 0; k < 5; ++k) sum += weights[k] * in[i + k - 2];
  out[i] = sum;
}

int main() {
  const float host[5] = {1, 2, 3, 2, 1};
  float *in, *out;
  float result = 0;
  int count = 0;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  cudaMemcpyToSymbol(weights, host, sizeof host);
  convolve<<<1, 64>>>(in, out, 64);
  convolve<<<1, 64>>>(in, out, 64);
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  cudaMemcpy(&result, out + 30, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%d %f\n", count, result);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
