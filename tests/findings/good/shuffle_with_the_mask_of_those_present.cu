// Lanes in a branch find out who is there before they branch, and name only those.
#include <cstdio>

__global__ void sum_of_odd(const int* values, int* sum) {
  const int mine = values[threadIdx.x];
  const bool odd = mine % 2 != 0;
  const unsigned mask = __ballot_sync(0xffffffffu, odd);
  if (odd) {
    const int leader = __ffs(mask) - 1;
    const int total = __reduce_add_sync(mask, mine);
    const int first = __shfl_sync(mask, mine, leader);
    if (threadIdx.x % 32 == static_cast<unsigned>(leader)) atomicAdd(sum, total + first);
  }
}

int main() {
  int *values, *sum;
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i * i + i / 3;
  int result = 0;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  sum_of_odd<<<1, 64>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
