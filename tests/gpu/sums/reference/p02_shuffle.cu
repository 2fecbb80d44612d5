// A sum per thread, one per warp by shuffles, and one atomic per warp.
#include <cstdio>
#include <cstdlib>

__global__ void fill(unsigned* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i % 7;
}

__global__ void add(const unsigned* values, int n, unsigned* sum) {
  // <solution> TODO: one atomic per warp
  const int threads = gridDim.x * blockDim.x;
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) mine += values[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffffu, mine, step);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, mine);
  // </solution>
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int n = std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  unsigned *values = nullptr, *sum = nullptr;
  cudaMalloc(&values, n * sizeof(unsigned));
  cudaMalloc(&sum, sizeof(unsigned));
  fill<<<(n + 255) / 256, 256>>>(values, n);
  const int blocks = (n + 255) / 256 < 1024 ? (n + 255) / 256 : 1024;
  for (int i = 0; i < rounds; ++i) {
    cudaMemset(sum, 0, sizeof(unsigned));
    add<<<blocks, 256>>>(values, n, sum);
  }
  unsigned result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  std::printf("%u\n", result);
}
