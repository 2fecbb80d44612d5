// A file's image in memory: the number behind a 6-byte header is not where an int may lie.
#include <cstdio>

__global__ void read_numbers(const unsigned char* file, int* numbers) {
  const int* first = reinterpret_cast<const int*>(file + 6);
  numbers[threadIdx.x] = first[threadIdx.x];  // EXPECT(misaligned)
}

int main() {
  unsigned char* file;
  int* numbers;
  cudaMalloc(&file, 256);
  cudaMalloc(&numbers, 32 * sizeof(int));
  cudaMemset(file, 0, 256);
  read_numbers<<<1, 32>>>(file, numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(file);
  cudaFree(numbers);
  return error;
}
