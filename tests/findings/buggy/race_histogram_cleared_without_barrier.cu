// Some warps count before others have cleared the bins.
#include <cstdio>

__global__ void histogram(const unsigned char* text, int n, int* counts) {
  __shared__ int bins[256];
  bins[threadIdx.x] = 0;  // OTHER(race) OTHER(uninitialised_read) OTHER(warp_synchronous)
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    atomicAdd(&bins[text[i]], 1);  // EXPECT(race) ALSO(uninitialised_read) ALSO(warp_synchronous)
  }
  __syncthreads();
  counts[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  unsigned char* text;
  int* counts;
  int results[256];
  cudaMalloc(&text, 1000);
  cudaMalloc(&counts, sizeof results);
  cudaMemset(text, 200, 1000);
  histogram<<<1, 256>>>(text, 1000, counts);
  cudaMemcpy(results, counts, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results[200]);
  cudaFree(text);
  cudaFree(counts);
  return cudaGetLastError();
}
