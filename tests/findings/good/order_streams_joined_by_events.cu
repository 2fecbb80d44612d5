// A fork and a join: two streams wait for the first, and the first for them.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

__global__ void scale(const int* from, int* to, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = factor * from[i];
}

__global__ void add(const int* a, const int* b, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  int *values, *doubled, *tripled, *result;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&doubled, n * sizeof(int));
  cudaMalloc(&tripled, n * sizeof(int));
  cudaMallocHost(&result, n * sizeof(int));
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t filled, ready[2];
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  for (cudaEvent_t& event : ready) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (int round = 0; round < 3; ++round) {
    fill<<<4, 256, 0, streams[0]>>>(values, n);
    cudaEventRecord(filled, streams[0]);
    cudaStreamWaitEvent(streams[1], filled, 0);
    cudaStreamWaitEvent(streams[2], filled, 0);
    scale<<<4, 256, 0, streams[1]>>>(values, doubled, 2, n);
    scale<<<4, 256, 0, streams[2]>>>(values, tripled, 3, n);
    for (int k = 0; k < 2; ++k) {
      cudaEventRecord(ready[k], streams[k + 1]);
      cudaStreamWaitEvent(streams[0], ready[k], 0);
    }
    add<<<4, 256, 0, streams[0]>>>(doubled, tripled, values, n);
    cudaMemcpyAsync(result, values, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
  }
  cudaStreamSynchronize(streams[0]);
  std::printf("%d\n", result[n - 1]);
  cudaEventDestroy(filled);
  for (cudaEvent_t event : ready) cudaEventDestroy(event);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(result);
  cudaFree(values);
  cudaFree(doubled);
  cudaFree(tripled);
}
