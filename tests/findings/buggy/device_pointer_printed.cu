// The host reads the kernel's result straight through the device pointer.
#include <cstdio>

__global__ void answer(int* result) {
  *result = 42;
}

int main() {
  int* result;
  cudaMalloc(&result, sizeof(int));
  answer<<<1, 1>>>(result);
  cudaDeviceSynchronize();
  std::printf("%d\n", *result);  // EXPECT(device_pointer)
  cudaFree(result);
  return cudaGetLastError();
}
