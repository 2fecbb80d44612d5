// A program that copies by tensor maps where the device has them, and without them elsewhere.
#include <cstdlib>

#include <cuda.h>

__global__ void copy(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}

int main() {
  constexpr int kSide = 16;
  float host[kSide * kSide] = {1, 2, 3};
  float *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  if (cuInit(0) != CUDA_SUCCESS) abort();
  int major = 0;
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
  CUtensorMap map{};
  static_assert(sizeof map == 128 && alignof(CUtensorMap) == 128);
  const cuuint64_t size[2] = {kSide, kSide}, stride[1] = {kSide * sizeof(float)};
  const cuuint32_t box[2] = {kSide, kSide}, step[2] = {1, 1};
  const CUresult made = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, in, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if ((made == CUDA_SUCCESS) != (major >= 9)) abort();
  copy<<<1, kSide * kSide>>>(in, out, kSide * kSide);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  return host[2] == 3 ? 0 : 1;
}
