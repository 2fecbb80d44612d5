// Two streams, two copies and the host use one allocation at the same time, each its own bytes of it.
#include <cstdio>

__global__ void fill(int* values, int first, int step, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[first + i * step] = i;
}

int main() {
  const int n = 300;
  int* shared;
  cudaMallocManaged(&shared, 3 * n * sizeof(int));
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  // Even and odd elements; behind them, on the same page, the host's.
  fill<<<2, 256, 0, a>>>(shared, 0, 2, n);
  fill<<<2, 256, 0, b>>>(shared, 1, 2, n);
  long sum = 0;
  for (int i = 0; i < n; ++i) shared[2 * n + i] = i;
  for (int i = 0; i < n; ++i) sum += shared[2 * n + i];
  cudaStreamSynchronize(a);
  for (int i = 0; i < n; ++i) sum += shared[2 * i];
  cudaStreamSynchronize(b);
  for (int i = 0; i < n; ++i) sum += shared[2 * i + 1];
  std::printf("%ld\n", sum);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(shared);
}
