// cudaMalloc does not clear: the atomics add to whatever was there.
#include <cstdio>

__global__ void add_up(const int* values, int n, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);  // EXPECT(uninitialised_read)
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  add_up<<<2, 128>>>(values, 256, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
