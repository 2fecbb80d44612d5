// The result goes to a file before the kernel that computes it has been waited for.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 5000;
  int* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));
  std::FILE* file = std::tmpfile();
  fill<<<(n + 255) / 256, 256>>>(values, n);  // OTHER(missing_synchronize)
  const auto written = std::fwrite(values, sizeof(int), n, file);  // EXPECT(missing_synchronize)
  cudaDeviceSynchronize();
  std::printf("%d\n", written == n);
  std::fclose(file);
  cudaFree(values);
}
