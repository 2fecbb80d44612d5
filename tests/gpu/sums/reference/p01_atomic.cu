// One atomic per value.
#include <cstdio>
#include <cstdlib>

__global__ void fill(unsigned* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i % 7;
}

__global__ void add(const unsigned* values, int n, unsigned* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int n = std::atoi(argv[1]);
  const int rounds = std::atoi(argv[2]);
  unsigned *values = nullptr, *sum = nullptr;
  cudaMalloc(&values, n * sizeof(unsigned));
  cudaMalloc(&sum, sizeof(unsigned));
  fill<<<(n + 255) / 256, 256>>>(values, n);
  for (int i = 0; i < rounds; ++i) {
    cudaMemset(sum, 0, sizeof(unsigned));
    add<<<(n + 255) / 256, 256>>>(values, n, sum);
  }
  unsigned result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  std::printf("%u\n", result);
}
