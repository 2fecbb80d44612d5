// A factor of 0 in device memory: what is in C does not count. Of a symmetric matrix half is there.
#include <cublas_v2.h>

int main() {
  constexpr int kSize = 4;
  float *factors, *a, *x, *y;
  const float values[]{1, 0};
  const float lower[kSize][kSize] = {{1, 2, 3, 4}, {0, 5, 6, 7}, {0, 0, 8, 9}, {0, 0, 0, 10}};
  const float ones[kSize]{1, 1, 1, 1};
  cudaMalloc(&factors, sizeof values);
  cudaMalloc(&a, sizeof lower);
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&y, sizeof ones);
  cudaMemcpy(factors, values, sizeof values, cudaMemcpyHostToDevice);
  for (int i = 0; i < kSize; ++i)
    cudaMemcpy(a + i * kSize + i, &lower[i][i], (kSize - i) * sizeof *a, cudaMemcpyHostToDevice);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  cublasSsymv(handle, CUBLAS_FILL_MODE_LOWER, kSize, factors, a, kSize, x, 1, factors + 1, y, 1);
  float sums[kSize];
  cudaMemcpy(sums, y, sizeof sums, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  cudaFree(factors);
  cudaFree(a);
  cudaFree(x);
  cudaFree(y);
  return sums[0] == 10 && sums[1] == 20 && sums[2] == 26 && sums[3] == 30 ? 0 : 1;
}
