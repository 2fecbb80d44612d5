// The mask names all lanes, but only half of them get here.
#include <cstdio>

__global__ void half_sum(const int* values, int* sum) {
  const int lane = threadIdx.x;
  int mine = values[lane];
  if (lane < 16) {
    for (int offset = 8; offset > 0; offset /= 2) {
      mine += __shfl_down_sync(0xffffffffu, mine, offset);  // EXPECT(deadlock)
    }
  }              // OTHER(deadlock)
  __syncwarp();  // OTHER(deadlock)
  if (lane == 0) *sum = mine;
}

int main() {
  int *values, *sum;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 0, 32 * sizeof(int));
  half_sum<<<1, 32>>>(values, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  cudaFree(sum);
  return error;
}
