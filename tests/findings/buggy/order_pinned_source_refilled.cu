// The pinned buffer is filled again while its bytes are on their way to the device.
int main() {
  const int n = 2000;
  int* values = nullptr;
  int* buffer = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMallocHost(&buffer, n * sizeof(int));
  for (int i = 0; i < n; ++i) buffer[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(values, buffer, n * sizeof(int), cudaMemcpyHostToDevice, stream);  // OTHER(missing_synchronize)
  for (int i = 0; i < n; ++i) buffer[i] = -i;  // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(buffer);
  cudaFree(values);
}
