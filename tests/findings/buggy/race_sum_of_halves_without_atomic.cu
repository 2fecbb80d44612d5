// All threads add to one number of half precision.
#include <cuda_fp16.h>

__global__ void sum(const __half* values, __half* result) {
  *result = *result + values[threadIdx.x];  // EXPECT(race) ALSO(same_word_store) ALSO(warp_synchronous)
}

int main() {
  __half *values, *result;
  cudaMalloc(&values, 64 * sizeof(__half));
  cudaMalloc(&result, sizeof(__half));
  cudaMemset(values, 0, 64 * sizeof(__half));
  cudaMemset(result, 0, sizeof(__half));
  sum<<<1, 64>>>(values, result);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(result);
  return error;
}
