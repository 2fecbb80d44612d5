// The size is multiplied by sizeof(int) twice.
#include <cstdio>

int main() {
  const int bytes = 64 * sizeof(int);
  int* values;
  cudaMalloc(&values, bytes);
  const cudaError_t error = cudaMemset(values, 0, bytes * sizeof(int));  // EXPECT(bad_copy)
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
