// The largest value falls into bin `bins`, which is one past the last.
#include <cstdio>

__global__ void histogram(const float* values, int n, int* counts, int bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[static_cast<int>(values[i] * bins)], 1);  // EXPECT(out_of_bounds)
}

int main() {
  float host[64];
  for (int i = 0; i < 64; ++i) host[i] = i / 63.0f;
  float* values;
  int* counts;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&counts, 8 * sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, 8 * sizeof(int));
  histogram<<<1, 64>>>(values, 64, counts, 8);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(counts);
  return error;
}
