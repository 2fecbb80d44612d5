// cudaMemcpy counts bytes: only a quarter of the values arrives.
#include <cstdio>

__global__ void twice(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];  // EXPECT(uninitialised_read)
}

int main() {
  const int n = 256;
  int host[n] = {};
  int *in, *out;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
  twice<<<2, 128>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(in);
  cudaFree(out);
  return cudaGetLastError();
}
