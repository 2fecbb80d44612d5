// 60 KiB of dynamic shared memory, asked for as it must be.
#include <cstdio>

__global__ void reverse(int* values, int n) {
  extern __shared__ int shared[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) shared[i] = values[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = shared[n - 1 - i];
}

int main() {
  const int n = 15 * 1024;
  int* values;
  int last = 0;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemset(values, 1, n * sizeof(int));
  cudaError_t error =
      cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, n * sizeof(int));
  reverse<<<1, 256, n * sizeof(int)>>>(values, n);
  if (error == cudaSuccess) error = cudaMemcpy(&last, values + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", last);
  cudaFree(values);
  return error;
}
