// The producers only arrive, as they must at "full", of which each round has its own; but nobody tells them
// when the buffer is empty again.
#include <cstdio>

__global__ void pipe(const int* in, int* out, int rounds) {
  __shared__ int buffer[32];
  const unsigned lane = threadIdx.x % 32;
  for (int k = 0; k < rounds; ++k) {
    if (threadIdx.x < 32) {
      buffer[lane] = in[32 * k + lane];  // OTHER(race)
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + k) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + k) : "memory");
      out[32 * k + lane] = buffer[31 - lane];  // EXPECT(race)
    }
  }
}

int main() {
  int *in, *out;
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  pipe<<<1, 64>>>(in, out, 2);
  cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[63]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
