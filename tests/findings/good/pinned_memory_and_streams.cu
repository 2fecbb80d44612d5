// Two halves in two streams, from and to pinned memory.
#include <cstdio>

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  const int half = 100;
  int *host, *device;
  cudaStream_t streams[2];
  cudaMallocHost(&host, 2 * half * sizeof(int));
  cudaMalloc(&device, 2 * half * sizeof(int));
  for (int i = 0; i < 2 * half; ++i) host[i] = i;
  for (int k = 0; k < 2; ++k) {
    cudaStreamCreate(&streams[k]);
    int* part = device + k * half;
    cudaMemcpyAsync(part, host + k * half, half * sizeof(int), cudaMemcpyHostToDevice, streams[k]);
    twice<<<1, 128, 0, streams[k]>>>(part, half);
    cudaMemcpyAsync(host + k * half, part, half * sizeof(int), cudaMemcpyDeviceToHost, streams[k]);
  }
  for (cudaStream_t stream : streams) {
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
  }
  std::printf("%d\n", host[199]);
  cudaFreeHost(host);
  cudaFree(device);
  return cudaGetLastError();
}
