// cudaMemset works in the default stream, for which a non-blocking stream does not wait.
__global__ void count(int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += 1;
}

int main() {
  const int n = 1000;
  int* sums = nullptr;
  cudaMalloc(&sums, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(sums, 0, n * sizeof(int));    // OTHER(race)
  count<<<4, 256, 0, stream>>>(sums, n);  // EXPECT(race)
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(sums);
}
