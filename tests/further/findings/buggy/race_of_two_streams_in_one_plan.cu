// Each stream has its own signal, but both calls use the plan's work area.
#include <cufft.h>

int main() {
  constexpr int kLength = 64;
  cufftComplex *left, *right;
  cudaMalloc(&left, kLength * sizeof *left);
  cudaMalloc(&right, kLength * sizeof *right);
  cudaMemset(left, 0, kLength * sizeof *left);
  cudaMemset(right, 0, kLength * sizeof *right);
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  cufftSetStream(plan, first);
  cufftResult result = cufftExecC2C(plan, left, left, CUFFT_FORWARD);
  cufftSetStream(plan, second);
  if (result == CUFFT_SUCCESS) result = cufftExecC2C(plan, right, right, CUFFT_FORWARD);  // EXPECT(race)
  const cudaError_t error = cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(left);
  cudaFree(right);
  return result == CUFFT_SUCCESS && error == cudaSuccess ? 0 : 1;
}
