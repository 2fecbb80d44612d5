// While one pinned buffer is on its way, the host fills the other one; events say when a buffer is free.
#include <cstdio>
#include <cstring>

__global__ void add(const int* values, int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += values[i];
}

int main() {
  const int n = 2000;
  int *buffer[2], *values, *sums;
  cudaEvent_t sent[2];
  for (int k = 0; k < 2; ++k) {
    cudaMallocHost(&buffer[k], n * sizeof(int));
    cudaEventCreateWithFlags(&sent[k], cudaEventDisableTiming);
  }
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&sums, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(sums, 0, n * sizeof(int), stream);
  for (int round = 0; round < 6; ++round) {
    const int k = round % 2;
    cudaEventSynchronize(sent[k]);  // not recorded yet in the first rounds
    for (int i = 0; i < n; ++i) buffer[k][i] = round;
    cudaMemcpyAsync(values, buffer[k], n * sizeof(int), cudaMemcpyHostToDevice, stream);
    cudaEventRecord(sent[k], stream);
    add<<<8, 256, 0, stream>>>(values, sums, n);
  }
  int result[4];
  cudaMemcpyAsync(buffer[0], sums, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  std::memcpy(result, buffer[0], sizeof result);
  std::printf("%d\n", result[3]);
  for (int k = 0; k < 2; ++k) {
    cudaEventDestroy(sent[k]);
    cudaFreeHost(buffer[k]);
  }
  cudaStreamDestroy(stream);
  cudaFree(values);
  cudaFree(sums);
}
