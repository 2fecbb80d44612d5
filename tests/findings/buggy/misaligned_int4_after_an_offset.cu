// An int4 has to begin at a multiple of 16 bytes; one int further it does not.
#include <cstdio>

__global__ void sum4(const int* values, int* sum) {
  const int4 four = reinterpret_cast<const int4*>(values)[threadIdx.x];  // EXPECT(misaligned)
  atomicAdd(sum, four.x + four.y + four.z + four.w);
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  sum4<<<1, 32>>>(values + 1, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
