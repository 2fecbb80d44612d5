// The transform runs on the plan's stream; the host looks at the spectrum at once.
#include <cufft.h>

int main() {
  constexpr int kLength = 64;
  cufftComplex* data;
  cudaMallocManaged(&data, kLength * sizeof *data);
  for (int i = 0; i < kLength; ++i) data[i] = {1, 0};
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cufftHandle plan;
  if (cufftPlan1d(&plan, kLength, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  cufftSetStream(plan, stream);
  if (cufftExecC2C(plan, data, data, CUFFT_FORWARD) != CUFFT_SUCCESS) return 2;
  const float mean = data[0].x / kLength;  // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  cufftDestroy(plan);
  cudaStreamDestroy(stream);
  cudaFree(data);
  return mean == 0.5f;
}
