// A filter of three weights, of which two are copied.
__constant__ float weights[3];

__global__ void use(float* out) {
  for (int k = 0; k < 3; ++k) out[k] = weights[k];  // EXPECT(unset_constant)
}

int main() {
  const float host[3] = {1, 2, 3};
  float* out;
  cudaMalloc(&out, sizeof host);
  cudaMemcpyToSymbol(weights, host, 2 * sizeof(float));
  use<<<1, 1>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error;
}
