// The pivots are those of a larger matrix: one of them names a row that the smaller one does not have.
#include <cusolverDn.h>

int main() {
  constexpr int kSize = 2;
  const double host[kSize * kSize] = {2, 0, 1, 3};
  const int rows[kSize] = {1, 7};
  double *a, *b;
  int *pivots, *info;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, kSize * sizeof(double));
  cudaMalloc(&pivots, sizeof rows);
  cudaMalloc(&info, sizeof(int));
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(b, host, kSize * sizeof(double), cudaMemcpyHostToDevice);
  cudaMemcpy(pivots, rows, sizeof rows, cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  const cusolverStatus_t status =
      // EXPECT-NEXT(out_of_bounds)
      cusolverDnDgetrs(handle, CUBLAS_OP_N, kSize, 1, a, kSize, pivots, b, kSize, info);
  const cudaError_t error = cudaDeviceSynchronize();
  cusolverDnDestroy(handle);
  cudaFree(a);
  cudaFree(b);
  cudaFree(pivots);
  cudaFree(info);
  return status == CUSOLVER_STATUS_SUCCESS && error == cudaSuccess ? 0 : 1;
}
