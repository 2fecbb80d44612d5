// The host's signal is never copied to the device.
#include <cufft.h>

int main() {
  constexpr int kLength = 30;
  cufftDoubleComplex host[kLength] = {};
  cufftDoubleComplex* data;
  cudaMalloc(&data, sizeof host);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_Z2Z, 1) != CUFFT_SUCCESS) return 2;
  const cufftResult result = cufftExecZ2Z(plan, data, data, CUFFT_INVERSE);  // EXPECT(uninitialised_read)
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  cufftDestroy(plan);
  cudaFree(data);
  return result == CUFFT_SUCCESS ? 0 : 1;
}
