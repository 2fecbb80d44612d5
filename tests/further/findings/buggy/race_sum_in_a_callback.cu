// A callback adds up the spectrum's power in one variable; it is called by many threads.
#include <cstdio>

#include <cufftXt.h>

constexpr int kLength = 512;

__device__ void store_and_add(void* to, size_t offset, cufftComplex value, void* info, void*) {
  static_cast<cufftComplex*>(to)[offset] = value;
  *static_cast<float*>(info) += value.x * value.x + value.y * value.y;  // EXPECT(race)
}
__device__ cufftCallbackStoreC of_store = store_and_add;

int main() {
  cufftComplex* data;
  float* power;
  cudaMalloc(&data, kLength * sizeof *data);
  cudaMalloc(&power, sizeof *power);
  cudaMemset(data, 0, kLength * sizeof *data);
  cudaMemset(power, 0, sizeof *power);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  cufftCallbackStoreC store;
  cudaMemcpyFromSymbol(&store, of_store, sizeof store);
  cufftXtSetCallback(plan, (void**)&store, CUFFT_CB_ST_COMPLEX, (void**)&power);
  if (cufftExecC2C(plan, data, data, CUFFT_FORWARD) != CUFFT_SUCCESS) return 2;
  float sum = 0;
  cudaMemcpy(&sum, power, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%g\n", sum);
  cufftDestroy(plan);
  cudaFree(data);
  cudaFree(power);
}
