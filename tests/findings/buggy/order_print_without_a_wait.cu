// The first program of every course, without its last line: on a GPU it ends before anything is shown.
#include <cstdio>

__global__ void greet() {
  std::printf("thread %d of block %d\n", threadIdx.x, blockIdx.x);
}

int main() {
  greet<<<1, 4>>>();
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  greet<<<1, 4, 0, stream>>>();  // EXPECT(missing_synchronize)
}
