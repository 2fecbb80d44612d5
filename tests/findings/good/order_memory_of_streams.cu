// Memory that streams allocate and free: in one stream, and in another one that has waited.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaEvent_t ready;
  cudaEventCreate(&ready);
  int last = 0;
  for (int round = 0; round < 3; ++round) {
    int *mine, *handed_over;
    cudaMallocAsync(&mine, n * sizeof(int), a);
    fill<<<4, 256, 0, a>>>(mine, n);
    cudaFreeAsync(mine, a);
    cudaMallocAsync(&handed_over, n * sizeof(int), a);
    fill<<<4, 256, 0, a>>>(handed_over, n);
    cudaEventRecord(ready, a);
    cudaStreamWaitEvent(b, ready, 0);
    cudaMemcpyAsync(&last, handed_over + n - 1, sizeof last, cudaMemcpyDeviceToHost, b);
    cudaFreeAsync(handed_over, b);
  }
  cudaStreamSynchronize(b);
  std::printf("%d\n", last);
  cudaEventDestroy(ready);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
}
