// Rows of a padded array go to their spectra and back in place, on a stream that the host waits for. The work
// area is the program's, and serves both plans.
#include <cmath>

#include <cufft.h>

__global__ void keep_low(cufftComplex* spectrum, int half, int kept, float scale) {
  cufftComplex& value = spectrum[blockIdx.x * half + threadIdx.x];
  const float factor = threadIdx.x < kept ? scale : 0;
  value = {value.x * factor, value.y * factor};
}

int main() {
  constexpr int kLength = 90, kRows = 3, kHalf = kLength / 2 + 1;
  float* data;
  cudaMallocManaged(&data, kRows * kHalf * sizeof(cufftComplex));
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kLength; ++i) {
      const double turn = 2 * M_PI * i / kLength;
      data[row * 2 * kHalf + i] = static_cast<float>(std::cos(2 * turn) + std::cos(30 * turn) + row);
    }
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cufftHandle there, back;
  size_t bytes_there = 0, bytes_back = 0;
  cufftCreate(&there);
  cufftCreate(&back);
  cufftSetAutoAllocation(there, 0);
  cufftSetAutoAllocation(back, 0);
  if (cufftMakePlan1d(there, kLength, CUFFT_R2C, kRows, &bytes_there) != CUFFT_SUCCESS) return 2;
  if (cufftMakePlan1d(back, kLength, CUFFT_C2R, kRows, &bytes_back) != CUFFT_SUCCESS) return 2;
  void* area;
  cudaMalloc(&area, bytes_there > bytes_back ? bytes_there : bytes_back);
  cufftSetWorkArea(there, area);
  cufftSetWorkArea(back, area);
  cufftSetStream(there, stream);
  cufftSetStream(back, stream);
  auto* spectrum = reinterpret_cast<cufftComplex*>(data);
  if (cufftExecR2C(there, data, spectrum) != CUFFT_SUCCESS) return 2;
  keep_low<<<kRows, kHalf, 0, stream>>>(spectrum, kHalf, 10, 1.0f / kLength);
  if (cufftExecC2R(back, spectrum, data) != CUFFT_SUCCESS) return 2;
  cudaStreamSynchronize(stream);
  bool right = true;
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kLength; ++i) {
      const double expected = std::cos(4 * M_PI * i / kLength) + row;
      right = right && std::fabs(data[row * 2 * kHalf + i] - expected) < 1e-4;
    }
  }
  cufftDestroy(there);
  cufftDestroy(back);
  cudaStreamDestroy(stream);
  cudaFree(area);
  cudaFree(data);
  return right ? 0 : 1;
}
