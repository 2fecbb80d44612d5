// Monte Carlo: each thread its own generator, one atomic a warp through a vote.
#include <cstdio>

__global__ void points(int rounds, unsigned long long* inside) {
  unsigned state = 1234567u * (blockIdx.x * blockDim.x + threadIdx.x + 1);
  for (int k = 0; k < rounds; ++k) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 8) / 16777216.0f;
    state = state * 1664525u + 1013904223u;
    const float y = (state >> 8) / 16777216.0f;
    const unsigned votes = __ballot_sync(0xffffffffu, x * x + y * y < 1);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, static_cast<unsigned long long>(__popc(votes)));
  }
}

int main() {
  unsigned long long* inside;
  unsigned long long result = 0;
  cudaMalloc(&inside, sizeof result);
  cudaMemset(inside, 0, sizeof result);
  points<<<4, 64>>>(20, inside);
  cudaMemcpy(&result, inside, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%f\n", 4.0 * result / (4 * 64 * 20));
  cudaFree(inside);
  return cudaGetLastError();
}
