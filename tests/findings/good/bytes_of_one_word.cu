// Neighbouring threads write and read neighbouring bytes: one word, and nobody in anybody's way.
#include <cstdio>

__global__ void upper(char* text, int n) {
  __shared__ char shared[128];
  const int i = threadIdx.x;
  shared[i] = text[i];
  if (shared[i] >= 'a' && shared[i] <= 'z') shared[i] -= 'a' - 'A';
  if (i < n) text[i] = shared[i];
}

int main() {
  char host[128] = "the quick brown fox jumps over the lazy dog";
  char* text;
  cudaMalloc(&text, sizeof host);
  cudaMemcpy(text, host, sizeof host, cudaMemcpyHostToDevice);
  upper<<<1, 128>>>(text, 100);
  cudaMemcpy(host, text, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%s\n", host);
  cudaFree(text);
  return cudaGetLastError();
}
