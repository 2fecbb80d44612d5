// cudaStreamQuery only asks; without a look at its answer nothing has been waited for.
#include <cstdio>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaMallocManaged(&values, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<4, 256, 0, stream>>>(values, n);  // OTHER(missing_synchronize)
  cudaStreamQuery(stream);
  const bool late = values[n - 1] != n - 1;  // EXPECT(missing_synchronize)
  cudaStreamSynchronize(stream);
  std::printf("%d\n", late && values[0] != 0);
  cudaStreamDestroy(stream);
  cudaFree(values);
}
