// Each thread keeps the largest four values in an array of its own, and shifts one too many down.
#include <cstdio>

constexpr int kKept = 4;
constexpr int kValues = 64;

__global__ void largest(const int* values, int* kept_of_all) {
  int kept[kKept] = {};
  int seen = 0;
  for (int i = threadIdx.x; i < kValues; i += blockDim.x) {
    int place = 0;
    while (place < kKept && kept[place] > values[i]) ++place;
    for (int k = kKept; k > place; --k) kept[k] = kept[k - 1];  // EXPECT(out_of_bounds)
    if (place < kKept) kept[place] = values[i];
    ++seen;
  }
  kept_of_all[threadIdx.x] = kept[0] + seen;
}

int main() {
  int values[kValues];
  for (int i = 0; i < kValues; ++i) values[i] = i;
  int* device_values;
  int* device_kept;
  int kept[32];
  cudaMalloc(&device_values, sizeof values);
  cudaMalloc(&device_kept, sizeof kept);
  cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
  largest<<<1, 32>>>(device_values, device_kept);
  cudaMemcpy(kept, device_kept, sizeof kept, cudaMemcpyDeviceToHost);  // ALSO(uninitialised_read)
  std::printf("%d %s\n", kept[31], cudaGetErrorString(cudaGetLastError()));
  cudaFree(device_values);
  cudaFree(device_kept);
}
