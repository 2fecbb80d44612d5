// Copies of threadIdx and blockIdx whose type the compiler finds.
#include <cstdio>
__global__ void k(int* o) {
  const auto t = threadIdx;
  auto b = blockIdx;
  o[b.x * 32 + t.x] = t.x + b.x;
}
int main() {
  int* o;
  cudaMalloc(&o, 256);
  k<<<2, 32>>>(o);
  int h[64];
  cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost);
  std::printf("%d\n", h[63]);
  cudaFree(o);
  return h[63] == 32 ? 0 : 1;
}
