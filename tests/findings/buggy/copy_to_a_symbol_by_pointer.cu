// The name of a __constant__ variable as if it were a pointer to device memory.
__constant__ float weights[3];

__global__ void use(float* out) {
  out[threadIdx.x] = weights[threadIdx.x];  // ALSO(unset_constant)
}

int main() {
  const float host[3] = {1, 2, 3};
  float* out;
  cudaMalloc(&out, sizeof host);
  const cudaError_t error =
      cudaMemcpy(weights, host, sizeof host, cudaMemcpyHostToDevice);  // EXPECT(bad_copy)
  use<<<1, 3>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
  return error;
}
