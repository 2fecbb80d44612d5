// Each block adds to the sum and reads it at once: the others have not all added theirs.
#include <cstdio>

__global__ void add(int* sum, int* out) {
  if (threadIdx.x != 0) return;
  atomicAdd(sum, 1);  // OTHER(race)
  out[blockIdx.x] = *sum;  // EXPECT(race)
}

int main() {
  int* values;
  int host[16] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  add<<<8, 32>>>(values, values + 1);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(values);
  return cudaGetLastError();
}
