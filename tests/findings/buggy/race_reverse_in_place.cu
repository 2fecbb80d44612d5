// Every thread moves one value; nobody keeps the one that it overwrites. In global memory, within one block.
#include <cstdio>

__global__ void reverse(int* values, int n) {
  const int i = threadIdx.x;
  values[n - 1 - i] = values[i];  // EXPECT(race)
}

int main() {
  int* values;
  int results[256] = {1, 2, 3};
  cudaMalloc(&values, sizeof results);
  cudaMemcpy(values, results, sizeof results, cudaMemcpyHostToDevice);
  reverse<<<1, 256>>>(values, 256);
  cudaMemcpy(results, values, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results[255]);
  cudaFree(values);
  return cudaGetLastError();
}
