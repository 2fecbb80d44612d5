// The result is copied in one stream while the kernel computes it in another.
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
  cudaStream_t compute, copy;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&copy);
  fill<<<4, 256, 0, compute>>>(values, n);                                             // OTHER(race)
  cudaMemcpyAsync(result, values, n * sizeof(int), cudaMemcpyDeviceToHost, copy);  // EXPECT(race)
  cudaDeviceSynchronize();
  cudaStreamDestroy(compute);
  cudaStreamDestroy(copy);
  cudaFreeHost(result);
  cudaFree(values);
}
