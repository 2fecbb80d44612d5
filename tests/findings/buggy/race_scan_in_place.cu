// A scan that reads and writes one array needs a barrier between the two: only one of them is here.
#include <cstdio>

__global__ void inclusive_scan(int* values) {
  __shared__ int shared[128];
  const unsigned tid = threadIdx.x;
  shared[tid] = values[tid];
  __syncthreads();
  for (unsigned offset = 1; offset < 128; offset *= 2) {
    if (tid >= offset) shared[tid] += shared[tid - offset];  // EXPECT(race) ALSO(warp_synchronous)
    __syncthreads();
  }
  values[tid] = shared[tid];
}

int main() {
  int* values;
  int results[128];
  cudaMalloc(&values, sizeof results);
  cudaMemset(values, 1, sizeof results);
  inclusive_scan<<<1, 128>>>(values);
  cudaMemcpy(results, values, sizeof results, cudaMemcpyDeviceToHost);
  std::printf("%d\n", results[127]);
  cudaFree(values);
  return cudaGetLastError();
}
