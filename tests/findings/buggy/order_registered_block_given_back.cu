// A block of malloc is registered and copied to; then it is unregistered and freed without a wait.
#include <cstdlib>

__global__ void fill(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1 << 18;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int round = 0; round < 2; ++round) {
    int* block = static_cast<int*>(std::malloc(n * sizeof(int)));
    cudaHostRegister(block, n * sizeof(int), cudaHostRegisterDefault);
    fill<<<n / 256, 256, 0, stream>>>(values, n);
    cudaMemcpyAsync(block, values, n * sizeof(int), cudaMemcpyDeviceToHost, stream);  // OTHER(missing_synchronize)
    cudaHostUnregister(block);  // EXPECT(missing_synchronize)
    std::free(block);
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(values);
}
