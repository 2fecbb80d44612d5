// The barrier counts half of the block, and orders it alone.
#include <cuda/barrier>

__global__ void halves(int* values) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[128];
  if (threadIdx.x == 0) init(&barrier, 64);
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;  // OTHER(race)
  if (threadIdx.x < 64) barrier.arrive_and_wait();
  values[threadIdx.x] = shared[127 - threadIdx.x];  // EXPECT(race) ALSO(uninitialised_read)
}

int main() {
  int* values;
  cudaMalloc(&values, 128 * sizeof(int));
  halves<<<1, 128>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
