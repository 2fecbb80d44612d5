// The host reads managed memory that a kernel may still be writing. EXPECT(schedule_dependent)
#include <cstdio>

__global__ void square(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i * i;
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));
  square<<<(n + 255) / 256, 256>>>(values, n);  // OTHER(missing_synchronize)
  long sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];  // EXPECT(missing_synchronize)
  cudaDeviceSynchronize();
  std::printf("%d\n", sum > 0);
  cudaFree(values);
}
