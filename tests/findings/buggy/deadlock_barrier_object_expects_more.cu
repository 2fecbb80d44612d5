// The barrier waits for the whole block, and half of it never arrives.
#include <cuda/barrier>

__global__ void halves(int* values) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[64];
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    barrier.arrive_and_wait();  // EXPECT(deadlock)
    values[threadIdx.x] = shared[31 - threadIdx.x];
  }
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  halves<<<1, 64>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
