// Every atomic of the language, on shared and global memory, many threads on one address.
#include <cstdio>

__global__ void all(int* i, unsigned* u, unsigned long long* wide, float* f) {
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const int mine = threadIdx.x;
  atomicMax(&largest, mine);
  atomicAdd(&i[0], mine);
  atomicSub(&i[1], 1);
  atomicMin(&i[2], -mine);
  atomicMax(&i[3], mine);
  atomicAnd(&u[0], ~(1u << mine % 8));
  atomicOr(&u[1], 1u << mine % 32);
  atomicXor(&u[2], 1u << mine % 32);
  atomicInc(&u[3], 1000u);
  atomicDec(&u[4], 1000u);
  atomicAdd(wide, 1ull << 33);
  atomicAdd(f, 0.5f);
  unsigned seen = atomicAdd(&u[5], 0u);
  while (true) {
    const unsigned before = atomicCAS(&u[5], seen, seen + 3);
    if (before == seen) break;
    seen = before;
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&i[4], largest);
}

int main() {
  int* i;
  unsigned* u;
  unsigned long long* wide;
  float* f;
  int ints[5];
  unsigned words[6];
  cudaMalloc(&i, sizeof ints);
  cudaMalloc(&u, sizeof words);
  cudaMalloc(&wide, sizeof *wide);
  cudaMalloc(&f, sizeof *f);
  cudaMemset(i, 0, sizeof ints);
  cudaMemset(u, 0, sizeof words);
  cudaMemset(wide, 0, sizeof *wide);
  cudaMemset(f, 0, sizeof *f);
  all<<<3, 64>>>(i, u, wide, f);
  cudaMemcpy(ints, i, sizeof ints, cudaMemcpyDeviceToHost);
  cudaMemcpy(words, u, sizeof words, cudaMemcpyDeviceToHost);
  for (int value : ints) std::printf("%d ", value);
  for (unsigned value : words) std::printf("%u ", value);
  cudaFree(i);
  cudaFree(u);
  cudaFree(wide);
  cudaFree(f);
  return cudaGetLastError();
}
