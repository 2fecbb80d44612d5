// The pinned buffer is freed while it is copied from.
int main() {
  const int n = 1000;
  int* values = nullptr;
  int* input = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&input, n * sizeof(int));
  for (int i = 0; i < n; ++i) input[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(values, input, n * sizeof(int), cudaMemcpyHostToDevice, stream);  // OTHER(missing_synchronize)
  cudaFreeHost(input);                                                               // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(values);
}
