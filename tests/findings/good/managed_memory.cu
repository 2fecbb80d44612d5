// Managed memory: filled by the host, changed by a kernel, read by the host after it has waited.
#include <cstdio>

__global__ void twice(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  float* values;
  cudaMallocManaged(&values, 100 * sizeof(float));
  for (int i = 0; i < 100; ++i) values[i] = i;
  twice<<<1, 128>>>(values, 100);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%f\n", values[99]);
  cudaFree(values);
  return error;
}
