// A block of malloc is registered and then freed while its bytes are on their way.
#include <cstdlib>

int main() {
  const int n = 1 << 16;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  int* block = static_cast<int*>(std::malloc(n * sizeof(int)));
  for (int i = 0; i < n; ++i) block[i] = i;
  cudaHostRegister(block, n * sizeof(int), cudaHostRegisterDefault);
  cudaMemcpyAsync(values, block, n * sizeof(int), cudaMemcpyHostToDevice, 0);  // OTHER(missing_synchronize)
  std::free(block);                                                           // EXPECT(missing_synchronize)
  cudaDeviceSynchronize();
  cudaFree(values);
}
