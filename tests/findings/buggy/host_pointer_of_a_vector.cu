// The kernel gets the vector's own memory, which is the host's.
#include <cstdio>
#include <vector>

__global__ void twice(const int* in, int* out) {
  out[threadIdx.x] = 2 * in[threadIdx.x];  // EXPECT(host_pointer)
}

int main() {
  std::vector<int> values(64, 1);
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  twice<<<1, 64>>>(values.data(), out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  cudaFree(out);
  return error;
}
