// The next free place is a plain counter: two threads may take the same one.
#include <cstdio>

__global__ void keep_positive(const int* values, int* kept, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > 0) {
    const int place = *count;  // EXPECT(race)
    *count = place + 1;        // OTHER(race)
    kept[place] = values[i];   // ALSO(same_value_store)
  }
}

int main() {
  int *values, *kept, *count;
  int result = 0;
  cudaMalloc(&values, 256 * sizeof(int));
  cudaMalloc(&kept, 256 * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(values, 1, 256 * sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  keep_positive<<<4, 64>>>(values, kept, count);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(kept);
  cudaFree(count);
  return cudaGetLastError();
}
