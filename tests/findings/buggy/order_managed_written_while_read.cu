// The host prepares the next round in the memory that the kernel of this round still reads.
__global__ void add(const int* values, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += values[i];
}

int main() {
  const int n = 500;
  int* values = nullptr;
  int* sums = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaMemset(sums, 0, n * sizeof(int));
  for (int i = 0; i < n; ++i) values[i] = i;
  add<<<2, 256>>>(values, sums, n);              // OTHER(missing_synchronize)
  for (int i = 0; i < n; ++i) values[i] = 2 * i;  // EXPECT(missing_synchronize)
  add<<<2, 256>>>(values, sums, n);
  cudaDeviceSynchronize();
  cudaFree(sums);
  cudaFree(values);
}
