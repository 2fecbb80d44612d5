// Two kernels read the same input and add to the same counters at the same time, by atomics.
#include <cstdio>

__global__ void count(const int* values, int n, int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[values[i] % 4], 1);
}

int main() {
  const int n = 1000;
  int *values, *bins;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMalloc(&bins, 4 * sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = i;
  cudaMemset(bins, 0, 4 * sizeof(int));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    cudaStreamCreate(&stream);
    count<<<4, 256, 0, stream>>>(values, n, bins);
  }
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];  // kernels only read it
  int result[4];
  cudaMemcpy(result, bins, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d %ld\n", result[0], sum);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(bins);
}
