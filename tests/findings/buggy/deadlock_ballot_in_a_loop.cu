// Lanes leave the loop one by one; those that stay ask all of them.
#include <cstdio>

__global__ void count_down(const int* values, int* rounds) {
  int left = values[threadIdx.x];
  int made = 0;
  while (left > 0) {  // OTHER(deadlock)
    left -= 1 + static_cast<int>(threadIdx.x % 2);
    if (__ballot_sync(0xffffffffu, left > 0) != 0) ++made;  // EXPECT(deadlock)
  }
  __syncwarp();  // OTHER(deadlock)
  rounds[threadIdx.x] = made;
}

int main() {
  int *values, *rounds;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&rounds, 32 * sizeof(int));
  cudaMemset(values, 1, 32 * sizeof(int));
  cudaMemset(values, 0, 16 * sizeof(int));
  count_down<<<1, 32>>>(values, rounds);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(rounds);
  return error;
}
