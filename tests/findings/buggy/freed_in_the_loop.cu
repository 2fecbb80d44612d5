// The scratch memory is freed at the end of the first round and used in the second.
#include <cstdio>

__global__ void round(int* scratch, int* out) {
  scratch[threadIdx.x] = threadIdx.x;  // EXPECT(use_after_free)
  __syncthreads();
  out[threadIdx.x] = scratch[63 - threadIdx.x];
}

int main() {
  int *scratch, *out;
  cudaMalloc(&scratch, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  for (int k = 0; k < 2; ++k) {
    round<<<1, 64>>>(scratch, out);
    if (cudaDeviceSynchronize() != cudaSuccess) break;
    cudaFree(scratch);
  }
  const cudaError_t error = cudaGetLastError();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  return error;
}
