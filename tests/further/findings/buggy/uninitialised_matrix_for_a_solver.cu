// Nobody has set the last element of the matrix.
#include <cusolverDn.h>

int main() {
  constexpr int kSize = 3;
  const float host[kSize * kSize] = {4, 1, 0, 1, 4, 1, 0, 1, 4};
  float *a, *work;
  int *info, size = 0;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&info, sizeof(int));
  cudaMemcpy(a, host, sizeof host - sizeof(float), cudaMemcpyHostToDevice);
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 2;
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  cusolverDnSpotrf_bufferSize(handle, upper, kSize, a, kSize, &size);
  cudaMalloc(&work, size * sizeof(float));
  const cusolverStatus_t status =
      cusolverDnSpotrf(handle, upper, kSize, a, kSize, work, size, info);  // EXPECT(uninitialised_read)
  const cudaError_t error = cudaDeviceSynchronize();
  cusolverDnDestroy(handle);
  cudaFree(a);
  cudaFree(work);
  cudaFree(info);
  return status == CUSOLVER_STATUS_SUCCESS && error == cudaSuccess ? 0 : 1;
}
