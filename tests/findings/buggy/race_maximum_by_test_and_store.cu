// Between the test and the store another block may have stored a larger value.
#include <cstdio>

__global__ void maximum(const int* values, int n, int* largest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // ALSO-NEXT(race) ALSO-NEXT(warp_synchronous) OTHER-NEXT(race) OTHER-NEXT(warp_synchronous)
  if (i < n && values[i] > *largest) {
    *largest = values[i];  // EXPECT(race) ALSO(same_word_store) ALSO(warp_synchronous)
  }
}

int main() {
  int *values, *largest;
  int host[256];
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);
  cudaMalloc(&largest, sizeof(int));
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(largest, 0, sizeof(int));
  maximum<<<8, 32>>>(values, 256, largest);
  cudaMemcpy(host, largest, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host[0]);
  cudaFree(values);
  cudaFree(largest);
  return cudaGetLastError();
}
