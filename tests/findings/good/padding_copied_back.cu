// The kernel stores to all members of structures that have padding between them; a copy takes it along.
#include <cstdio>

struct Pair {
  char letter;
  int number;
};

__global__ void fill(Pair* pairs) {
  pairs[threadIdx.x].letter = 'a';
  pairs[threadIdx.x].number = static_cast<int>(threadIdx.x);
}

__global__ void move(const Pair* from, Pair* to) {
  to[threadIdx.x] = from[31 - threadIdx.x];
}

int main() {
  Pair* pairs;
  Pair host[64];
  cudaMalloc(&pairs, sizeof host);
  fill<<<1, 32>>>(pairs);
  move<<<1, 32>>>(pairs, pairs + 32);
  cudaMemcpy(host, pairs, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%c %d\n", host[32].letter, host[63].number);
  cudaFree(pairs);
  return cudaGetLastError();
}
