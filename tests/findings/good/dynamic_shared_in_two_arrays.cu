// One piece of dynamic shared memory, cut into two arrays at an aligned place.
#include <cstdio>

__global__ void two(const int* in, double* out, int n) {
  extern __shared__ double memory[];
  double* sums = memory;
  int* counts = reinterpret_cast<int*>(memory + n);
  const int tid = threadIdx.x;
  sums[tid] = in[tid] * 0.5;
  counts[tid] = in[tid];
  __syncthreads();
  out[tid] = sums[n - 1 - tid] + counts[(tid + 1) % n];
}

int main() {
  const int n = 65;
  int host[n];
  double results[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  int* in;
  double* out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof results);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  two<<<1, n, n*(sizeof(double) + sizeof(int))>>>(in, out, n);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%f\n", results[0]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
