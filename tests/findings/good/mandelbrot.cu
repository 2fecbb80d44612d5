// Loops of very different length side by side in a warp, and doubles.
#include <cstdio>

__global__ void mandelbrot(unsigned short* rounds, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const double re = 3.0 * x / size - 2, im = 3.0 * y / size - 1.5;
  double a = 0, b = 0;
  unsigned short k = 0;
  while (a * a + b * b < 4 && k < 60) {
    const double next = a * a - b * b + re;
    b = 2 * a * b + im;
    a = next;
    ++k;
  }
  rounds[y * size + x] = k;
}

int main() {
  const int size = 50;
  unsigned short host[size * size];
  unsigned short* rounds;
  cudaMalloc(&rounds, sizeof host);
  mandelbrot<<<dim3(4, 7), dim3(16, 8)>>>(rounds, size);
  cudaMemcpy(host, rounds, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[25 * size + 25]);
  cudaFree(rounds);
  return cudaGetLastError();
}
