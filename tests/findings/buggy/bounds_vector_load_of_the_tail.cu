// The last int4 begins inside the array and ends behind it.
#include <cstdio>

__global__ void sum4(const int* values, int n, int* sum) {
  const int i = 4 * threadIdx.x;
  if (i < n) {
    const int4 four = *reinterpret_cast<const int4*>(values + i);  // EXPECT(out_of_bounds)
    atomicAdd(sum, four.x + four.y + four.z + four.w);
  }
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 30 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 30 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  sum4<<<1, 32>>>(values, 30, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
