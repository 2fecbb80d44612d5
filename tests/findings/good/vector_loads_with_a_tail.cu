// int4 where four values are there, single ones for the rest.
#include <cstdio>

__global__ void add_up(const int* values, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int mine = 0;
  if (i < n / 4) {
    const int4 four = reinterpret_cast<const int4*>(values)[i];
    mine = four.x + four.y + four.z + four.w;
  }
  if (i < n % 4) mine += values[n / 4 * 4 + i];
  atomicAdd(sum, mine);
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 303 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 303 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add_up<<<2, 64>>>(values, 303, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
