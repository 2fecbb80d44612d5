// A spectrum has n / 2 + 1 complex numbers, two floats more than the n real ones that it replaces.
#include <cufft.h>

int main() {
  constexpr int kLength = 64;
  cufftReal* data;
  cudaMalloc(&data, kLength * sizeof *data);
  cudaMemset(data, 0, kLength * sizeof *data);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_R2C, 1) != CUFFT_SUCCESS) return 2;
  auto* spectrum = reinterpret_cast<cufftComplex*>(data);
  const cufftResult result = cufftExecR2C(plan, data, spectrum);  // EXPECT(out_of_bounds)
  const cudaError_t error = cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaFree(data);
  return result == CUFFT_SUCCESS && error == cudaSuccess ? 0 : 1;
}
