// The blocks fill bytes of one word; the next launch reads them.
#include <cstdio>

__global__ void fill(char* text) {
  if (threadIdx.x == 0) text[blockIdx.x] = static_cast<char>(blockIdx.x + 'a');
}

__global__ void read(const char* text, int* out) {
  if (threadIdx.x == 0) *out = text[0];
}

int main() {
  int* values;
  int host[4] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  fill<<<4, 32>>>(reinterpret_cast<char*>(values));
  read<<<1, 32>>>(reinterpret_cast<const char*>(values), values + 1);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(values);
  return cudaGetLastError();
}
