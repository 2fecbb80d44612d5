// A signal is read as bytes times a window and its spectrum written without its high part, by functions that
// cuFFT calls for each element.
#include <cmath>
#include <cstdio>
#include <vector>

#include <cufftXt.h>

constexpr int kLength = 64, kSignals = 2, kHalf = kLength / 2 + 1;

struct Filter {
  int kept;
  float scale;
};
__constant__ float window[kLength];

__device__ cufftReal load_byte(void* from, size_t offset, void*, void*) {
  return static_cast<signed char*>(from)[offset] * window[offset % kLength];
}
__device__ void store_low(void* to, size_t offset, cufftComplex value, void* info, void*) {
  const Filter filter = *static_cast<Filter*>(info);
  const bool keeps = offset % kHalf < filter.kept;
  static_cast<cufftComplex*>(to)[offset] =
      keeps ? cufftComplex{value.x * filter.scale, value.y * filter.scale} : cufftComplex{0, 0};
}
__device__ cufftCallbackLoadR of_load = load_byte;
__device__ cufftCallbackStoreC of_store = store_low;

int main() {
  std::vector<signed char> bytes(kLength * kSignals);
  std::vector<float> weights(kLength);
  for (int i = 0; i < kLength * kSignals; ++i) bytes[i] = static_cast<signed char>(i * 37 % 101 - 50);
  for (int i = 0; i < kLength; ++i) weights[i] = 0.25f * static_cast<float>(i % 4 + 1);
  const Filter filter{kHalf / 2, 1.0f / kLength};
  signed char* signal;
  cufftComplex* spectrum;
  Filter* parameters;
  cudaMalloc(&signal, bytes.size());
  cudaMalloc(&spectrum, kHalf * kSignals * sizeof *spectrum);
  cudaMalloc(&parameters, sizeof filter);
  cudaMemcpy(signal, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(parameters, &filter, sizeof filter, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(window, weights.data(), weights.size() * sizeof(float));

  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_R2C, kSignals) != CUFFT_SUCCESS) return 2;
  cufftCallbackLoadR load;
  cufftCallbackStoreC store;
  cudaMemcpyFromSymbol(&load, of_load, sizeof load);
  cudaMemcpyFromSymbol(&store, of_store, sizeof store);
  if (cufftXtSetCallback(plan, reinterpret_cast<void**>(&load), CUFFT_CB_LD_REAL, nullptr) != CUFFT_SUCCESS ||
      cufftXtSetCallback(plan, reinterpret_cast<void**>(&store), CUFFT_CB_ST_COMPLEX,
                         reinterpret_cast<void**>(&parameters)) != CUFFT_SUCCESS)
    return 2;
  if (cufftExecR2C(plan, reinterpret_cast<cufftReal*>(signal), spectrum) != CUFFT_SUCCESS) return 2;
  std::vector<cufftComplex> made(kHalf * kSignals);
  cudaMemcpy(made.data(), spectrum, made.size() * sizeof *spectrum, cudaMemcpyDeviceToHost);

  double worst = 0;
  for (int i = 0; i < kHalf * kSignals; ++i) {
    double x = 0, y = 0;
    for (int j = 0; j < kLength && i % kHalf < filter.kept; ++j) {
      const double angle = -2 * 3.14159265358979323846 * (i % kHalf) * j / kLength;
      const double value = bytes[i / kHalf * kLength + j] * weights[j] / kLength;
      x += value * std::cos(angle);
      y += value * std::sin(angle);
    }
    worst = std::fmax(worst, std::fabs(x - made[i].x) + std::fabs(y - made[i].y));
  }
  std::printf("%s\n", worst < 1e-4 ? "filtered" : "wrong");
  cufftDestroy(plan);
  cudaFree(signal);
  cudaFree(spectrum);
  cudaFree(parameters);
  return worst < 1e-4 ? 0 : 1;
}
