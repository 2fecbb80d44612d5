// Copies of pageable memory: the source may be changed and the target read when the call returns.
#include <cstdio>
#include <vector>

__global__ void twice(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2;
}

int main() {
  const int n = 100000;
  std::vector<int> host(n, 1);
  int* values;
  cudaMalloc(&values, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  long sum = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMemcpyAsync(values, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    for (int i = 0; i < n; ++i) host[i] = 0;
    twice<<<(n + 255) / 256, 256, 0, stream>>>(values, n);
    cudaMemcpyAsync(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    sum += host[n - 1];
  }
  std::printf("%ld\n", sum);
  cudaStreamDestroy(stream);
  cudaFree(values);
}
