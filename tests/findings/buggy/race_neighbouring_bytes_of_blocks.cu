// The blocks fill bytes of one word, and block 3 reads what block 0 stored, without any order.
#include <cstdio>

__global__ void fill(char* text, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x < 3) {
    text[blockIdx.x] = static_cast<char>(blockIdx.x + 'a');  // OTHER(race)
  } else {
    *out = text[0];  // EXPECT(race)
  }
}

int main() {
  int* values;
  int host[4] = {};
  cudaMalloc(&values, sizeof host);
  cudaMemset(values, 0, sizeof host);
  fill<<<4, 32>>>(reinterpret_cast<char*>(values), values + 1);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(values);
  return cudaGetLastError();
}
