// What is printed depends on how far the copy has come: late work shows it. EXPECT(schedule_dependent)
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  int* result = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  result[n - 1] = -1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<4, 256, 0, stream>>>(values, n);
  cudaMemcpyAsync(result, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // OTHER(missing_synchronize)
  std::printf("%d\n", result[n - 1]);  // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(result);
  cudaFree(values);
}
