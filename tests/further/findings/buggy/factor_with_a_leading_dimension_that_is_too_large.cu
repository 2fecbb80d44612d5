// The columns of the matrix lie 16 numbers apart, and the call says 17.
#include <cusolverDn.h>

int main() {
  constexpr int kSize = 16, kLeading = 17;
  double host[kSize * kSize] = {};
  for (int i = 0; i < kSize; ++i) host[i * kSize + i] = 2;
  double *a, *work;
  int *pivots, *info, size = 0;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&pivots, kSize * sizeof(int));
  cudaMalloc(&info, sizeof(int));
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  cusolverDnDgetrf_bufferSize(handle, kSize, kSize, a, kLeading, &size);
  cudaMalloc(&work, size * sizeof(double));
  const cusolverStatus_t status =
      cusolverDnDgetrf(handle, kSize, kSize, a, kLeading, work, pivots, info);  // EXPECT(out_of_bounds)
  const cudaError_t error = cudaDeviceSynchronize();
  cusolverDnDestroy(handle);
  cudaFree(a);
  cudaFree(work);
  cudaFree(pivots);
  cudaFree(info);
  return status == CUSOLVER_STATUS_SUCCESS && error == cudaSuccess ? 0 : 1;
}
