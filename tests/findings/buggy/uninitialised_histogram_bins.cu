// The first 32 of 64 bins are cleared: one warp's worth.
#include <cstdio>

__global__ void histogram(const unsigned char* text, int n, int* counts) {
  __shared__ int bins[64];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[text[i] % 64], 1);  // EXPECT(uninitialised_read)
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);  // ALSO(uninitialised_read)
}

int main() {
  unsigned char* text;
  int* counts;
  cudaMalloc(&text, 1000);
  cudaMalloc(&counts, 64 * sizeof(int));
  cudaMemset(text, 40, 1000);
  cudaMemset(counts, 0, 64 * sizeof(int));
  histogram<<<1, 128>>>(text, 1000, counts);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(text);
  cudaFree(counts);
  return error;
}
