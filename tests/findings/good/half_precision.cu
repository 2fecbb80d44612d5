// Half precision and bfloat16 in kernels: operators, pairs, shuffles, atomics, conversions.
#include <cmath>
#include <cstdlib>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

template <typename T>
__device__ float polynomial(T x, T a, T b) {
  T sum = a * x + b;
  sum += x;
  sum = __hfma(x, sum, b);
  return float(__hmax(sum, a));
}

__global__ void halves(const __half* values, float* results) {
  __shared__ __half sum;
  if (threadIdx.x == 0) sum = __float2half(0.0f);
  __syncthreads();
  const __half mine = values[threadIdx.x];
  atomicAdd(&sum, mine);
  __half2 pair = __halves2half2(mine, __hneg(mine));
  pair = __hadd2(pair, __float2half2_rn(1.5f));
  for (int step = 16; step > 0; step /= 2) pair = __hadd2(pair, __shfl_xor_sync(0xffffffff, pair, step));
  __syncthreads();
  results[threadIdx.x] = polynomial(mine, __half(0.5f), __half(2)) + __low2float(pair) + __high2float(pair);
  results[32 + threadIdx.x] =
      polynomial(__nv_bfloat16(__half2float(mine)), __nv_bfloat16(0.5f), __nv_bfloat16(2));
  results[64 + threadIdx.x] = __half2float(sum) + (float)hsqrt(__half(6.25f)) + __half2int_rn(__half(2.5f));
}

int main() {
  __half* values;
  float* results;
  cudaMallocManaged(&values, 32 * sizeof(__half));
  cudaMallocManaged(&results, 96 * sizeof(float));
  for (int i = 0; i < 32; ++i) values[i] = __float2half(i * 0.25f);
  halves<<<1, 32>>>(values, results);
  cudaDeviceSynchronize();
  for (int i = 0; i < 32; ++i) {
    const float x = i * 0.25f;
    const float exact = std::fmax(x * (0.5f * x + 2 + x) + 2, 0.5f);
    if (std::fabs(results[i] - (exact + 96)) > 0.1f) abort();
    if (std::fabs(results[32 + i] - exact) > exact / 100) abort();
    if (results[64 + i] != 124 + 2.5f + 2) abort();
  }
  if ((float)__half(65519.0f) != 65504 || __half2float(__float2half(65520.0f)) <= 65504) abort();
  // From one class to the other: 10^6 is too large.
  if ((float)__half(__nv_bfloat16(0.3125f)) != 0.3125f ||
      (float)__nv_bfloat16(__half(1.0f / 3)) != 0.333984375f)
    abort();
  if (static_cast<__half>(__nv_bfloat16(1e6f)) < __half(65504.0f)) abort();
  if (__half_as_ushort(__half(1.0f) / __half(3.0f)) != 0x3555) abort();
  cudaFree(values);
  cudaFree(results);
}
