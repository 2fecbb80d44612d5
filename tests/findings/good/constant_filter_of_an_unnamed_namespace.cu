// Weights and a counter in an unnamed namespace, which host code sets and reads by name.
#include <cstdio>

namespace {

__constant__ float weights[3];
__device__ int launches;

__global__ void scale(const float* in, float* out) {
  if (threadIdx.x == 0) launches += 1;
  out[threadIdx.x] = weights[threadIdx.x] * in[threadIdx.x];
}

}  // namespace

int main() {
  const float host[3] = {1, 2, 3};
  float *in, *out;
  float result = 0;
  int count = 0;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, in, sizeof host, 0, cudaMemcpyDeviceToDevice);
  scale<<<1, 3>>>(in, out);
  cudaMemcpyFromSymbol(&count, launches, sizeof count);
  cudaMemcpy(&result, out + 2, sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%d %f\n", count, result);
  cudaFree(in);
  cudaFree(out);
  return count != 1 || result != 9 || cudaGetLastError() != cudaSuccess;
}
