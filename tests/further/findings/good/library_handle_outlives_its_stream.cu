// The stream of a handle is destroyed first; the work on it has ended.
#include <cublas_v2.h>

int main() {
  constexpr int kCount = 100;
  const double two = 2;
  double host[kCount];
  for (int i = 0; i < kCount; ++i) host[i] = i;
  double *x, *y;
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&y, sizeof host);
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(y, host, sizeof host, cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, stream);
  cublasDaxpy(handle, kCount, &two, x, 1, y, 1);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  cudaFree(x);
  cudaFree(y);
  return host[99] == 297 ? 0 : 1;
}
