// The second kernel needs what the first computes, and runs in another stream.
__global__ void produce(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void consume(const int* values, int* doubled, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) doubled[i] = 2 * values[i];
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  int* doubled = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&doubled, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  produce<<<4, 256, 0, first>>>(values, n);            // OTHER(race)
  consume<<<4, 256, 0, second>>>(values, doubled, n);  // EXPECT(race)
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(values);
  cudaFree(doubled);
}
