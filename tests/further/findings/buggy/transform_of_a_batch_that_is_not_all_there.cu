// The plan has four signals, the array three.
#include <cufft.h>

int main() {
  constexpr int kLength = 64, kSignals = 3;
  cufftComplex* data;
  cudaMalloc(&data, kLength * kSignals * sizeof *data);
  cudaMemset(data, 0, kLength * kSignals * sizeof *data);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_C2C, kSignals + 1) != CUFFT_SUCCESS) return 2;
  const cufftResult result = cufftExecC2C(plan, data, data, CUFFT_FORWARD);  // EXPECT(out_of_bounds)
  const cudaError_t error = cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaFree(data);
  return result == CUFFT_SUCCESS && error == cudaSuccess ? 0 : 1;
}
