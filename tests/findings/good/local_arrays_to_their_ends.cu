// Arrays of a thread's own, of values and of vectors, used up to their last element, and pointers to just
// past it that nobody follows.
#include <cstdio>

constexpr int kLoads = 4;
constexpr int kThreads = 64;

__device__ int sum_of(const int4* begin, const int4* end) {
  int sum = 0;
  for (const int4* each = begin; each != end; ++each) sum += each->x + each->y + each->z + each->w;
  return sum;
}

__global__ void sums(const int4* values, int* sum, int loads) {
  __shared__ int4 staged[kThreads];
  int4 loaded[kLoads];
  int counts[2][kLoads] = {};
  for (int k = 0; k < loads; ++k) {
    staged[threadIdx.x] = values[k * kThreads + threadIdx.x];
    loaded[k] = staged[threadIdx.x];
    counts[k % 2][k] += 1;
  }
  const int4* end = &loaded[loads];
  const int4 first = loaded[loads - 1];
  int last[kLoads];
  for (int k = loads; k > 0; --k) last[k - 1] = counts[1][k - 1] + counts[0][k - 1];
  atomicAdd(sum, sum_of(loaded, end) + last[loads - 1] - 1 + (first.x - loaded[loads - 1].x));
}

int main() {
  constexpr int kVectors = kLoads * kThreads;
  static int4 values[kVectors];
  for (int i = 0; i < kVectors; ++i) values[i] = make_int4(i, 1, 2, 3);
  int4* device_values;
  int* device_sum;
  int sum = 0;
  cudaMalloc(&device_values, sizeof values);
  cudaMalloc(&device_sum, sizeof sum);
  cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(device_sum, 0, sizeof sum);
  sums<<<1, kThreads>>>(device_values, device_sum, kLoads);
  if (cudaGetLastError() != cudaSuccess) return 1;
  cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%d\n", sum);
  cudaFree(device_values);
  cudaFree(device_sum);
  return sum == kVectors * (kVectors - 1) / 2 + 6 * kVectors ? 0 : 1;
}
