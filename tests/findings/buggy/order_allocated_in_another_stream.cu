// Memory of cudaMallocAsync exists for its own stream at once; another one has to wait for it.
__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaMallocAsync(&values, n * sizeof(int), first);  // OTHER(race)
  fill<<<4, 256, 0, second>>>(values, n);             // EXPECT(race)
  cudaStreamSynchronize(second);
  cudaFreeAsync(values, second);  // ALSO(race)
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
