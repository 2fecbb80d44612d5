// Dynamic shared memory is cut into 33 ints and doubles behind them: 132 is no multiple of 8.
#include <cstdio>

__global__ void two_arrays(double* out) {
  extern __shared__ int memory[];
  int* counts = memory;
  double* sums = reinterpret_cast<double*>(memory + 33);
  counts[threadIdx.x] = threadIdx.x;
  sums[threadIdx.x] = 0.5;  // EXPECT(misaligned)
  __syncthreads();
  out[threadIdx.x] = counts[31 - threadIdx.x] + sums[31 - threadIdx.x];
}

int main() {
  double* out;
  cudaMalloc(&out, 32 * sizeof(double));
  two_arrays<<<1, 32, 33 * sizeof(int) + 32 * sizeof(double)>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  return error;
}
