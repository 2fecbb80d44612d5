// Five weights for a filter of three.
#include <cstdio>

__constant__ float weights[3];

__global__ void use(float* out) {
  out[threadIdx.x] = weights[threadIdx.x];
}

int main() {
  const float host[5] = {};
  float* out;
  cudaMalloc(&out, 3 * sizeof(float));
  const cudaError_t error = cudaMemcpyToSymbol(weights, host, sizeof host);  // EXPECT(bad_copy)
  use<<<1, 3>>>(out);                                                        // ALSO(uninitialised_read)
  cudaDeviceSynchronize();
  cudaFree(out);
  return error;
}
