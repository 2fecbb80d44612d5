// c += a * b into a matrix that nobody has set to zero.
#include <cstdio>

__global__ void matmul_add(const float* a, const float* b, float* c, int size) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < size; ++k) sum += a[row * size + k] * b[k * size + column];
  c[row * size + column] += sum;  // EXPECT(uninitialised_read)
}

int main() {
  const int size = 16;
  float* m[3];
  for (float*& matrix : m) cudaMalloc(&matrix, size * size * sizeof(float));
  cudaMemset(m[0], 0, size * size * sizeof(float));
  cudaMemset(m[1], 0, size * size * sizeof(float));
  matmul_add<<<1, dim3(16, 16)>>>(m[0], m[1], m[2], size);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  for (float* matrix : m) cudaFree(matrix);
  return error;
}
