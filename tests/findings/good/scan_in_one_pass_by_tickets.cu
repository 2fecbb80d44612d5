// Blocks draw their numbers by an atomic and each waits for the one before it: flag and value behind a fence.
#include <cstdio>

__device__ unsigned next_block = 0;

__global__ void scan(const int* in, int* out, volatile int* before, volatile int* ready) {
  __shared__ unsigned shared_number;
  if (threadIdx.x == 0) shared_number = atomicAdd(&next_block, 1u);
  __syncthreads();
  const unsigned number = shared_number;
  const unsigned i = number * 32 + threadIdx.x;
  int mine = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, mine, offset);
    if (threadIdx.x >= static_cast<unsigned>(offset)) mine += left;
  }
  int base = 0;
  if (threadIdx.x == 31) {
    while (ready[number] == 0) {
    }
    __threadfence();
    base = before[number];
    before[number + 1] = base + mine;
    __threadfence();
    ready[number + 1] = 1;
  }
  out[i] = mine + __shfl_sync(0xffffffffu, base, 31);
}

int main() {
  int *in, *out, *before, *ready;
  int host[256];
  const int one = 1;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&before, 9 * sizeof(int));
  cudaMalloc(&ready, 9 * sizeof(int));
  cudaMemset(in, 1, sizeof host);
  cudaMemset(before, 0, 9 * sizeof(int));
  cudaMemset(ready, 0, 9 * sizeof(int));
  cudaMemcpy(ready, &one, sizeof one, cudaMemcpyHostToDevice);
  scan<<<8, 32>>>(in, out, before, ready);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[255]);
  cudaFree(in);
  cudaFree(out);
  cudaFree(before);
  cudaFree(ready);
  return cudaGetLastError();
}
