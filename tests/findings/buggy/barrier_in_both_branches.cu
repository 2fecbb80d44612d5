// Two barriers in two branches are two barriers, even if each thread meets one.
#include <cstdio>

__global__ void two_kinds(const int* in, int* out) {
  __shared__ int shared[64];
  if (threadIdx.x < 32) {
    shared[threadIdx.x] = in[threadIdx.x];
    __syncthreads();  // EXPECT(divergent_barrier)
  } else {
    shared[threadIdx.x] = -in[threadIdx.x];
    __syncthreads();  // OTHER(divergent_barrier)
  }
  out[threadIdx.x] = shared[63 - threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  two_kinds<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(in);
  cudaFree(out);
  return error;
}
