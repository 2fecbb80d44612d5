// The size that a solver asks for is a number of elements.
#include <cusolverDn.h>

int main() {
  constexpr int kSize = 8;
  double host[kSize * kSize] = {};
  for (int i = 0; i < kSize; ++i) host[i * kSize + i] = i;
  double *a, *w, *work;
  int *info, size = 0;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&w, kSize * sizeof(double));
  cudaMalloc(&info, sizeof(int));
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  const cusolverEigMode_t vectors = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  cusolverDnDsyevd_bufferSize(handle, vectors, lower, kSize, a, kSize, w, &size);
  cudaMalloc(&work, size);
  const cusolverStatus_t status =
      // EXPECT-NEXT(out_of_bounds)
      cusolverDnDsyevd(handle, vectors, lower, kSize, a, kSize, w, work, size, info);
  const cudaError_t error = cudaDeviceSynchronize();
  cusolverDnDestroy(handle);
  cudaFree(a);
  cudaFree(w);
  cudaFree(work);
  cudaFree(info);
  return status == CUSOLVER_STATUS_SUCCESS && error == cudaSuccess ? 0 : 1;
}
