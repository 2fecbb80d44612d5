// Half of each warp arrives and waits; what the other half has done nothing orders.
#include <cuda/barrier>

__global__ void halves(int* values) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int shared[64];
  if (threadIdx.x == 0) init(&barrier, 32);
  shared[threadIdx.x] = 0;
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;  // OTHER(race)
  if (threadIdx.x % 32 >= 16) return;
  barrier.arrive_and_wait();
  values[threadIdx.x] = shared[63 - threadIdx.x];  // EXPECT(race)
}

int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
  halves<<<1, 64>>>(values);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  return error;
}
