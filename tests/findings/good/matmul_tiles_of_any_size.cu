// Tiles with a barrier on each side of their use and a test at each edge of the matrix.
#include <cstdio>

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < size; t += kTile) {
    const int k_a = t + threadIdx.x, k_b = t + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < size && k_a < size ? a[row * size + k_a] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = column < size && k_b < size ? b[k_b * size + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < size && column < size) c[row * size + column] = sum;
}

int main() {
  const int size = 40;
  float host[size * size];
  for (int i = 0; i < size * size; ++i) host[i] = i % 7;
  float* m[3];
  for (float*& matrix : m) cudaMalloc(&matrix, sizeof host);
  cudaMemcpy(m[0], host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(m[1], host, sizeof host, cudaMemcpyHostToDevice);
  matmul<<<dim3(3, 3), dim3(kTile, kTile)>>>(m[0], m[1], m[2], size);
  cudaMemcpy(host, m[2], sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%f\n", host[size * size - 1]);
  for (float* matrix : m) cudaFree(matrix);
  return cudaGetLastError();
}
