// The memory is given back in a stream that does not wait for the kernel.
__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaStream_t compute, other;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&other);
  cudaMallocAsync(&values, n * sizeof(int), compute);  // OTHER(race)
  fill<<<4, 256, 0, compute>>>(values, n);  // OTHER(race)
  // The allocation itself is not waited for either. EXPECT-NEXT(race) ALSO-NEXT(race)
  cudaFreeAsync(values, other);
  cudaDeviceSynchronize();
  cudaStreamDestroy(compute);
  cudaStreamDestroy(other);
}
