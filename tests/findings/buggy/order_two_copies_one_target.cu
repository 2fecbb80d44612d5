// Both streams copy their part to the begin of the buffer: an offset is missing.
#include <cstring>

int main() {
  const int n = 1000;
  int* values = nullptr;
  int* input = nullptr;
  cudaMalloc(&values, 2 * n * sizeof(int));
  cudaMallocHost(&input, 2 * n * sizeof(int));
  std::memset(input, 1, 2 * n * sizeof(int));
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  cudaMemcpyAsync(values, input, n * sizeof(int), cudaMemcpyHostToDevice, streams[0]);      // OTHER(race)
  cudaMemcpyAsync(values, input + n, n * sizeof(int), cudaMemcpyHostToDevice, streams[1]);  // EXPECT(race)
  cudaDeviceSynchronize();
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(input);
  cudaFree(values);
}
