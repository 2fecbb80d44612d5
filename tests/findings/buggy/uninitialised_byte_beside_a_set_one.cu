// Each even byte is set by a kernel, and all bytes are read.
#include <cstdio>

__global__ void fill(char* bytes) {
  bytes[2 * threadIdx.x] = 1;
}

__global__ void add(const char* bytes, int* out) {
  out[threadIdx.x] = bytes[threadIdx.x];  // EXPECT(uninitialised_read)
}

int main() {
  char* bytes;
  int* out;
  int host[64];
  cudaMalloc(&bytes, 64);
  cudaMalloc(&out, sizeof host);
  fill<<<1, 32>>>(bytes);
  add<<<1, 64>>>(bytes, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(bytes);
  cudaFree(out);
  return cudaGetLastError();
}
