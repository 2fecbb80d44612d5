// The host fills the array that cudaMalloc gave as if it were its own.
#include <cstdio>

__global__ void twice(int* values) {
  values[threadIdx.x] *= 2;
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) {
    values[i] = i;  // EXPECT(device_pointer)
  }
  twice<<<1, 64>>>(values);
  cudaFree(values);
  return cudaGetLastError();
}
