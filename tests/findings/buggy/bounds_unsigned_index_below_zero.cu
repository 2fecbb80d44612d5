// The left neighbour of element 0, by an index without a sign: element 4294967295.
#include <cstdio>

__global__ void left(const int* in, int* out) {
  const unsigned i = threadIdx.x;
  out[i] = in[i - 1];  // EXPECT(out_of_bounds)
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  left<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
