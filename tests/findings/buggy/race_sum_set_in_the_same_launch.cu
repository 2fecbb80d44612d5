// The first block clears the sum for all of them, which others have added to before, or do at the same time.
#include <cstdio>

__global__ void add_up(const int* values, int* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *sum = 0;  // OTHER(race)
  __syncthreads();
  if (i < count) atomicAdd(sum, values[i]);  // EXPECT(race)
}

int main() {
  int *values, *sum;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  add_up<<<2, 128>>>(values, sum, 256);
  cudaMemcpy(host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
