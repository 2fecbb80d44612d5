// Nobody has set x. The call is to blame, also where its work is done later.
#include <cublas_v2.h>

int main() {
  constexpr int kCount = 100;
  const double two = 2;
  double host[kCount] = {};
  double *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasDaxpy(handle, kCount, &two, x, 1, y, 1);  // EXPECT(uninitialised_read)
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(y);
  return host[0] > 1;
}
