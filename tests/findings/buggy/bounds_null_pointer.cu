// The output was never allocated.
#include <cstdio>

__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;  // EXPECT(out_of_bounds)
}

int main() {
  int* values = nullptr;
  fill<<<1, 32>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}
