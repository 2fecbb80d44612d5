// The first step of the tree reads places that other warps may have yet to fill.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int partial[128];
  const unsigned tid = threadIdx.x;
  partial[tid] = values[blockIdx.x * 128 + tid];  // OTHER(race) OTHER(uninitialised_read)
  for (unsigned s = 64; s > 0; s /= 2) {
    if (tid < s) partial[tid] += partial[tid + s];  // EXPECT(race) ALSO(uninitialised_read)
    __syncthreads();
  }
  if (tid == 0) atomicAdd(sum, partial[0]);
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 512 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 512 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  tree<<<4, 128>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
