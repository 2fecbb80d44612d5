// Bins in shared memory, cleared and read behind barriers, counted by atomics.
#include <cstdio>

__global__ void histogram(const unsigned char* text, int n, unsigned* counts) {
  __shared__ unsigned bins[256];
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) bins[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&bins[text[i]], 1u);
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&counts[k], bins[k]);
}

int main() {
  unsigned char host[3000];
  for (int i = 0; i < 3000; ++i) host[i] = static_cast<unsigned char>(i * i);
  unsigned char* text;
  unsigned* counts;
  unsigned results[256];
  cudaMalloc(&text, sizeof host);
  cudaMalloc(&counts, sizeof results);
  cudaMemcpy(text, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(counts, 0, sizeof results);
  histogram<<<3, 96>>>(text, 3000, counts);
  cudaMemcpy(results, counts, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%u %u\n", results[0], results[1]);
  cudaFree(text);
  cudaFree(counts);
  return cudaGetLastError();
}
