// A tree with a barrier after the fill and after each step, for a size that fills no block.
#include <cstdio>

__global__ void tree(const int* values, int n, int* sum) {
  __shared__ int partial[128];
  const unsigned tid = threadIdx.x;
  const int i = blockIdx.x * 128 + tid;
  partial[tid] = i < n ? values[i] : 0;
  __syncthreads();
  for (unsigned s = 64; s > 0; s /= 2) {
    if (tid < s) partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0) atomicAdd(sum, partial[0]);
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 1000 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 1000 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  tree<<<8, 128>>>(values, 1000, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
