// Double buffering: the next tile is loaded while the last one is used, with one barrier a round.
#include <cstdio>

__global__ void moving_sum(const int* in, int* out, int tiles) {
  __shared__ int tile[2][64];
  const int tid = threadIdx.x;
  int sum = 0;
  tile[0][tid] = in[tid];
  for (int t = 0; t < tiles; ++t) {
    __syncthreads();
    if (t + 1 < tiles) tile[(t + 1) % 2][tid] = in[64 * (t + 1) + tid];
    for (int k = 0; k <= tid; ++k) sum += tile[t % 2][k];
  }
  out[tid] = sum;
}

int main() {
  int *in, *out;
  int host[320];
  for (int i = 0; i < 320; ++i) host[i] = i % 11;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  moving_sum<<<1, 64>>>(in, out, 5);
  cudaMemcpy(host, out, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[63]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
