// A block's storage of CUB, used again behind a barrier.
#include <cub/block/block_reduce.cuh>

__global__ void extremes(const int* values, int* results) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(values[threadIdx.x]);
  __syncthreads();
  const int most = Reduce(storage).Reduce(values[threadIdx.x], cub::Max());
  if (threadIdx.x == 0) {
    results[0] = sum;
    results[1] = most;
  }
}

int main() {
  int* values = nullptr;
  cudaMalloc(&values, 130 * sizeof(int));
  cudaMemset(values, 0, 130 * sizeof(int));
  extremes<<<1, 128>>>(values, values + 128);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
