// A barrier in a branch that the whole block takes or leaves together is met by all or by none.
#include <cstdio>

template <bool kReversed>
__global__ void copy(const int* in, int* out, int blocks_that_wait) {
  __shared__ int shared[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (static_cast<int>(blockIdx.x) >= blocks_that_wait) {
    out[i] = in[i];
    return;
  }
  shared[threadIdx.x] = in[i];
  if (kReversed) {
    __syncthreads();
    out[i] = shared[63 - threadIdx.x];
  } else {
    out[i] = shared[threadIdx.x];
  }
}

int main() {
  int *in, *out;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  copy<false><<<4, 64>>>(in, out, 2);
  copy<true><<<4, 64>>>(in, out, 2);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[255]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
