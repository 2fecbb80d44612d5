// As published for Fermi: volatile makes the loads happen, but since Volta nothing orders the lanes.
#include <cstdio>

__global__ void tree(const int* values, int* sum) {
  __shared__ int array[64];
  const unsigned tid = threadIdx.x;
  array[tid] = values[tid] + values[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int* shared = array;
    shared[tid] += shared[tid + 32];  // OTHER(warp_synchronous)
    shared[tid] += shared[tid + 16];  // EXPECT(warp_synchronous)
    shared[tid] += shared[tid + 8];
    shared[tid] += shared[tid + 4];
    shared[tid] += shared[tid + 2];
    shared[tid] += shared[tid + 1];
  }
  if (tid == 0) *sum = array[0];
}

int main() {
  int *values, *sum;
  int result = 0;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(values, 1, 128 * sizeof(int));
  tree<<<1, 64>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(values);
  cudaFree(sum);
  return cudaGetLastError();
}
