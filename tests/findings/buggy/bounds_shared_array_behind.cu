// The halo's right end is stored one place too far. Another array lies there, so no chip complains.
#include <cstdio>

__global__ void two_rows(const int* in, int* out) {
  __shared__ int upper[34];
  __shared__ int lower[34];
  const int tid = threadIdx.x;
  upper[tid + 1] = in[tid];
  lower[tid + 1] = in[tid + 32];
  if (tid == 0) {
    upper[0] = lower[0] = 0;
    upper[34] = 0;  // EXPECT(out_of_bounds)
    lower[33] = 0;
  }
  __syncthreads();
  out[tid] = upper[tid] + lower[tid + 2];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  two_rows<<<1, 32>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
