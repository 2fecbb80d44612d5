// Streams that are made while work is under way wait for it by an event, or use other memory.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void scale(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = 2 * from[i];
}

int main() {
  const int n = 1000;
  int *values, *others, *scaled, *result;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&others, n * sizeof(int));
  cudaMalloc(&scaled, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  fill<<<4, 256>>>(values, n);
  cudaEvent_t filled;
  cudaEventCreate(&filled);
  cudaEventRecord(filled);
  cudaStream_t second, third;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking);
  fill<<<4, 256, 0, third>>>(others, n);
  cudaStreamWaitEvent(second, filled, 0);
  scale<<<4, 256, 0, second>>>(values, scaled, n);
  cudaMemcpyAsync(result, scaled, n * sizeof(int), cudaMemcpyDeviceToHost, second);
  cudaDeviceSynchronize();
  std::printf("%d\n", result[n - 1]);
  cudaEventDestroy(filled);
  cudaStreamDestroy(second);
  cudaStreamDestroy(third);
  cudaFreeHost(result);
  cudaFree(values);
  cudaFree(others);
  cudaFree(scaled);
  return cudaGetLastError();
}
