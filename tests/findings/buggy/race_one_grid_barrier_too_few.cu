// The neighbour's value may already be that of the next step: the second barrier of the grid is missing.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void shift(int* values, int n, int steps) {
  const auto grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < steps; ++step) {
    const int next = values[(i + 64) % n];  // EXPECT(race)
    values[i] = next;                       // OTHER(race)
    grid.sync();
  }
}

int main() {
  int n = 256;
  int steps = 3;
  int* values;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMemset(values, 0, 256 * sizeof(int));
  void* arguments[] = {&values, &n, &steps};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(shift), dim3(4), dim3(64), arguments, 0, nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(values);
  return error;
}
