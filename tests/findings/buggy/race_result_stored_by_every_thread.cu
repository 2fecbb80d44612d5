// Published so: every thread stores the block's sum, and nothing waits for the last addition.
#include <cstdio>

__global__ void pairs(const int* values, int* partial) {
  __shared__ int shared[512];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[blockIdx.x * 512 + tid];
  shared[tid + 256] = values[blockIdx.x * 512 + tid + 256];
  for (unsigned s = 256; s > 0; s /= 2) {
    __syncthreads();
    if (tid < s) shared[tid] += shared[tid + s];  // OTHER(race)
  }
  partial[blockIdx.x] = shared[0];  // EXPECT(race) ALSO(race)
}

int main() {
  int *values, *partial;
  int results[2];
  cudaMalloc(&values, 1024 * sizeof(int));
  cudaMalloc(&partial, 2 * sizeof(int));
  cudaMemset(values, 1, 1024 * sizeof(int));
  pairs<<<2, 256>>>(values, partial);
  cudaMemcpy(results, partial, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", results[0], results[1]);
  cudaFree(values);
  cudaFree(partial);
  return cudaGetLastError();
}
