// The event is recorded in the stream that waits for it.
__global__ void produce(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void negate(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = -values[i];
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  produce<<<4, 256, 0, first>>>(values, n);  // OTHER(race)
  cudaEventRecord(done, second);
  cudaStreamWaitEvent(second, done, 0);
  negate<<<4, 256, 0, second>>>(values, n);  // EXPECT(race)
  cudaDeviceSynchronize();
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(values);
}
