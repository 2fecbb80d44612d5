// Row and column are swapped in the index: harmless for square matrices, and this one is not.
#include <cstdio>

__global__ void scale(float* matrix, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns)
    matrix[column * columns + row] *= 2;  // EXPECT(out_of_bounds) ALSO(race)
}

int main() {
  const int rows = 20, columns = 50;
  float* matrix;
  cudaMalloc(&matrix, rows * columns * sizeof(float));
  cudaMemset(matrix, 0, rows * columns * sizeof(float));
  scale<<<dim3(4, 2), dim3(16, 16)>>>(matrix, rows, columns);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(matrix);
  return error;
}
