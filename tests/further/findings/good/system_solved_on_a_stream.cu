// Factors and solution follow one another on a stream; the host looks when all of it is done. Only a part of
// a larger array is the matrix.
#include <cmath>

#include <cusolverDn.h>

int main() {
  constexpr int kSize = 20, kLeading = 24;
  double *a, *b, *work;
  int *pivots, *info, size = 0;
  cudaMallocManaged(&a, kLeading * kSize * sizeof(double));
  cudaMallocManaged(&b, kSize * sizeof(double));
  cudaMallocManaged(&info, sizeof(int));
  cudaMalloc(&pivots, kSize * sizeof(int));
  for (int i = 0; i < kSize; ++i) {
    b[i] = 0;
    for (int j = 0; j < kSize; ++j) {
      a[i + j * kLeading] = 1.0 / (1 + std::abs(i - j)) + (i + 1 == j ? 3 : 0);
      b[i] += a[i + j * kLeading] * j;
    }
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  cusolverDnSetStream(handle, stream);
  cusolverDnDgetrf_bufferSize(handle, kSize, kSize, a, kLeading, &size);
  cudaMalloc(&work, size * sizeof(double));
  cusolverDnDgetrf(handle, kSize, kSize, a, kLeading, work, pivots, info);
  cusolverDnDgetrs(handle, CUBLAS_OP_N, kSize, 1, a, kLeading, pivots, b, kSize, info);
  cudaStreamSynchronize(stream);
  bool right = *info == 0;
  for (int i = 0; i < kSize; ++i) right = right && std::fabs(b[i] - i) < 1e-9;
  cusolverDnDestroy(handle);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(b);
  cudaFree(info);
  cudaFree(pivots);
  cudaFree(work);
  return right ? 0 : 1;
}
