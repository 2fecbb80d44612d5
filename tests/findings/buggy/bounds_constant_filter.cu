// A filter of 5 weights in constant memory; the loop takes 6.
#include <cstdio>

__constant__ float weights[5];

__global__ void convolve(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 5 >= n) return;
  float sum = 0;
  for (int k = 0; k <= 5; ++k) sum += weights[k] * in[i + k];  // EXPECT(out_of_bounds)
  out[i] = sum;
}

int main() {
  float *in, *out;
  const float host[5] = {1, 2, 3, 2, 1};
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  cudaMemcpyToSymbol(weights, host, sizeof host);
  convolve<<<1, 64>>>(in, out, 64);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
