// beta is 1, so that the product is added to what is there, and nobody has set that.
#include <cublas_v2.h>

int main() {
  constexpr int kSize = 8;
  const float one = 1;
  float host[kSize * kSize] = {};
  float *a, *c;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, kSize, kSize, kSize, &one, a, kSize, a, kSize, &one, c,  // EXPECT(uninitialised_read)
              kSize);
  cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost);
  cublasDestroy(handle);
  cudaFree(a);
  cudaFree(c);
  return 0;
}
