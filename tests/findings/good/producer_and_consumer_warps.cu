// One warp fills a slot, the other empties it; volatile flags and fences of the block pass it to and fro.
#include <cstdio>

__global__ void pipe(const int* in, int* out, int rounds) {
  __shared__ volatile int slot[32];
  __shared__ volatile int full;
  const unsigned lane = threadIdx.x % 32;
  if (threadIdx.x == 0) full = 0;
  __syncthreads();
  for (int k = 0; k < rounds; ++k) {
    if (threadIdx.x < 32) {
      if (lane == 0) {
        while (full != 0) {
        }
        __threadfence_block();
      }
      __syncwarp();
      slot[lane] = in[32 * k + lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full = 1;
    } else {
      if (lane == 0) {
        while (full == 0) {
        }
        __threadfence_block();
      }
      __syncwarp();
      out[32 * k + lane] = slot[31 - lane];
      __threadfence_block();
      __syncwarp();
      if (lane == 0) full = 0;
    }
  }
}

int main() {
  int *in, *out;
  int host[128];
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  pipe<<<1, 64>>>(in, out, 4);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[127]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
