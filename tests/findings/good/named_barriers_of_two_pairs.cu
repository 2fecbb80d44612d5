// Two pairs of warps pass buffers on, each with a barrier for "full" and one for "empty". Then
// the consumers read both buffers, and one of them writes.
#include <cstdio>

__device__ void sync(int barrier) {
  asm volatile("bar.sync %0, 64;" ::"r"(barrier) : "memory");
}
__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, 64;" ::"r"(barrier) : "memory");
}

__global__ void pipe(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][32];
  __shared__ int last[128];
  const unsigned lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int pair = warp % 2;
  for (int k = 0; k < rounds; ++k) {
    if (warp < 2) {
      if (k > 0) sync(3 + pair);
      buffer[pair][lane] = in[64 * k + threadIdx.x];
      arrive(1 + pair);
    } else {
      sync(1 + pair);
      out[64 * k + threadIdx.x - 64] = buffer[pair][31 - lane] + buffer[pair][lane];
      if (k + 1 < rounds) arrive(3 + pair);
    }
  }
  if (warp >= 2) {
    sync(5);
    const int sum = buffer[0][0] + buffer[1][1];
    sync(5);
    last[threadIdx.x] = sum;
    if (threadIdx.x == 64) buffer[0][0] = 7;
    sync(5);
    out[threadIdx.x] += last[191 - threadIdx.x] + buffer[0][0];
  }
  __syncthreads();
  if (threadIdx.x == 0) buffer[0][0] = 8;
}

int main() {
  int *in, *out;
  int host[192] = {};
  for (int i = 0; i < 192; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  pipe<<<1, 128>>>(in, out, 3);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[191]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
