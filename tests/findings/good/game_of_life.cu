// A grid in two dimensions, wrapped at its edges, from one board to the other.
#include <cstdio>

__global__ void generation(const unsigned char* from, unsigned char* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      neighbours += from[(y + dy + height) % height * width + (x + dx + width) % width];
    }
  }
  to[y * width + x] = neighbours == 3 || (neighbours == 2 && from[y * width + x] != 0);
}

int main() {
  const int width = 30, height = 20;
  unsigned char host[width * height] = {};
  host[1] = host[width + 2] = host[2 * width] = host[2 * width + 1] = host[2 * width + 2] = 1;
  unsigned char* boards[2];
  cudaMalloc(&boards[0], sizeof host);
  cudaMalloc(&boards[1], sizeof host);
  cudaMemcpy(boards[0], host, sizeof host, cudaMemcpyHostToDevice);
  for (int k = 0; k < 8; ++k) {
    generation<<<dim3(2, 3), dim3(16, 8)>>>(boards[k % 2], boards[(k + 1) % 2], width, height);
  }
  cudaMemcpy(host, boards[0], sizeof host, cudaMemcpyDeviceToHost);
  int alive = 0;
  for (unsigned char cell : host) alive += cell;
  std::printf("%d\n", alive);
  cudaFree(boards[0]);
  cudaFree(boards[1]);
  return cudaGetLastError();
}
