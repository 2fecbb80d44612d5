// The sum's address is that of a variable of main.
#include <cstdio>

__global__ void add_up(const int* values, int* sum) {
  atomicAdd(sum, values[threadIdx.x]);  // EXPECT(host_pointer)
}

int main() {
  int sum = 0;
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  add_up<<<1, 64>>>(values, &sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d %s\n", sum, cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
