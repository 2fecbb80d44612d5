// The offset that cuFFT passes runs over the whole batch, the window has one signal's length.
#include <cufftXt.h>

constexpr int kLength = 64, kSignals = 4;

__device__ cufftComplex load_weighted(void* from, size_t offset, void* info, void*) {
  const cufftComplex value = static_cast<cufftComplex*>(from)[offset];
  const float weight = static_cast<float*>(info)[offset];  // EXPECT(out_of_bounds)
  return cufftComplex{value.x * weight, value.y * weight};
}
__device__ cufftCallbackLoadC of_load = load_weighted;

int main() {
  cufftComplex* data;
  float* window;
  cudaMalloc(&data, kLength * kSignals * sizeof *data);
  cudaMalloc(&window, kLength * sizeof *window);
  cudaMemset(data, 0, kLength * kSignals * sizeof *data);
  cudaMemset(window, 0, kLength * sizeof *window);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_C2C, kSignals) != CUFFT_SUCCESS) return 2;
  cufftCallbackLoadC load;
  cudaMemcpyFromSymbol(&load, of_load, sizeof load);
  cufftXtSetCallback(plan, (void**)&load, CUFFT_CB_LD_COMPLEX, (void**)&window);
  const cufftResult result = cufftExecC2C(plan, data, data, CUFFT_FORWARD);
  const cudaError_t error = cudaDeviceSynchronize();
  cufftDestroy(plan);
  cudaFree(data);
  cudaFree(window);
  return result == CUFFT_SUCCESS && error == cudaSuccess ? 0 : 1;
}
