// One thread decides for the block, and the others read its decision without waiting for it.
#include <cstdio>

__global__ void scale_if_large(float* values, float limit) {
  __shared__ bool large;
  if (threadIdx.x == 0) large = values[blockIdx.x * 64] > limit;  // OTHER(race) OTHER(uninitialised_read)
  // EXPECT-NEXT(race) ALSO-NEXT(uninitialised_read) ALSO-NEXT(warp_synchronous)
  if (large) {
    values[blockIdx.x * 64 + threadIdx.x] /= limit;  // ALSO(race) ALSO(warp_synchronous)
  }
}

int main() {
  float* values;
  cudaMalloc(&values, 128 * sizeof(float));
  cudaMemset(values, 0, 128 * sizeof(float));
  scale_if_large<<<2, 64>>>(values, 10.0f);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
