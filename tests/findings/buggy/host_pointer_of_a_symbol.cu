// A kernel is passed a __constant__ variable, whose address on the host is no address of device memory.
__constant__ float weights[3];

__global__ void use(const float* values, float* out) {
  out[threadIdx.x] = values[threadIdx.x];  // EXPECT(host_pointer)
}

int main() {
  const float host[3] = {1, 2, 3};
  float* out;
  cudaMalloc(&out, sizeof host);
  cudaMemcpyToSymbol(weights, host, sizeof host);
  use<<<1, 3>>>(weights, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error;
}
