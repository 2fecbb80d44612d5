// Two threads with the same value read the same count; one of them is lost.
#include <cstdio>

__global__ void histogram(const unsigned char* text, int n, int* counts) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    bins[text[i] % 16]++;  // EXPECT(race)
  }
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  unsigned char* text;
  int* counts;
  int results[16];
  cudaMalloc(&text, 1000);
  cudaMalloc(&counts, sizeof results);
  cudaMemset(text, 'a', 1000);
  histogram<<<1, 128>>>(text, 1000, counts);
  cudaMemcpy(results, counts, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results['a' % 16]);
  cudaFree(text);
  cudaFree(counts);
  return cudaGetLastError();
}
