// The solver works on its own stream, and the host prints the eigenvalues at once.
#include <cusolverDn.h>

int main() {
  constexpr int kSize = 4;
  float *a, *w, *work;
  int *info, size = 0;
  cudaMallocManaged(&a, kSize * kSize * sizeof(float));
  cudaMallocManaged(&w, kSize * sizeof(float));
  cudaMallocManaged(&info, sizeof(int));
  for (int i = 0; i < kSize * kSize; ++i) a[i] = i % (kSize + 1) == 0 ? 2 : 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  cusolverDnSetStream(handle, stream);
  const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  cusolverDnSsyevd_bufferSize(handle, vectors, upper, kSize, a, kSize, w, &size);
  cudaMalloc(&work, size * sizeof(float));
  if (cusolverDnSsyevd(handle, vectors, upper, kSize, a, kSize, w, work, size, info) !=
      CUSOLVER_STATUS_SUCCESS)
    return 2;
  const bool large = w[kSize - 1] > 1e6f;  // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  cusolverDnDestroy(handle);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(w);
  cudaFree(work);
  cudaFree(info);
  return large ? 1 : 0;
}
