// Each thread arrives, and reads its neighbour's value without waiting.
#include <cuda/barrier>

__global__ void neighbours(int* values) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;  // OTHER(race)
  auto token = barrier.arrive();
  values[threadIdx.x] = shared[63 - threadIdx.x];  // EXPECT(race) ALSO(uninitialised_read)
  barrier.wait(std::move(token));
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  neighbours<<<1, 64>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
