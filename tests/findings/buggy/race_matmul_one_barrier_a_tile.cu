// The next tile is loaded while slower warps still multiply with the last one.
#include <cstdio>

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int size) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < size; t += kTile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * size + t + threadIdx.x];  // ALSO(race) ALSO(warp_synchronous)
    // ALSO-NEXT(warp_synchronous)
    tile_b[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * size + column];  // EXPECT(race)
    __syncthreads();
    for (int k = 0; k < kTile; ++k)
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];  // OTHER(race) OTHER(warp_synchronous)
  }
  c[row * size + column] = sum;
}

int main() {
  const int size = 64;
  float* m[3];
  for (float*& matrix : m) {
    cudaMalloc(&matrix, size * size * sizeof(float));
    cudaMemset(matrix, 0, size * size * sizeof(float));
  }
  matmul<<<dim3(4, 4), dim3(kTile, kTile)>>>(m[0], m[1], m[2], size);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  for (float* matrix : m) cudaFree(matrix);
  return error;
}
