// The host looks at the end of a result whose copy nothing has waited for.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 3000;
  int* values = nullptr;
  int* result = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  for (int i = 0; i < n; ++i) result[i] = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<(n + 255) / 256, 256, 0, stream>>>(values, n);
  cudaMemcpyAsync(result, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // OTHER(missing_synchronize)
  const bool right = result[n - 1] == n - 1 || result[n - 1] == 0;                    // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  std::printf("%d\n", right);
  cudaStreamDestroy(stream);
  cudaFreeHost(result);
  cudaFree(values);
}
