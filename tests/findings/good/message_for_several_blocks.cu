// One block writes, several others read: behind fences and a flag, by release and acquire; and it writes again
// when all of them have said that they have read.
#include <cuda/atomic>

__device__ int message, ready, seen;

__global__ void by_fences(int* values) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    message = 1;
    __threadfence();
    atomicExch(&ready, 1);
    while (atomicAdd(&seen, 0) != gridDim.x - 1) {
    }
    __threadfence();
    message = 2;
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    __threadfence();
    values[blockIdx.x] = message;
    __threadfence();
    atomicAdd(&seen, 1);
  }
}

__global__ void by_release_and_acquire(int* values) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> flag(ready);
  if (blockIdx.x == 0) {
    message = 3;
    flag.store(2, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_acquire) != 2) {
    }
    values[blockIdx.x] = message;
  }
}

__global__ void by_a_whole_block(int* values, volatile int* flag) {
  if (blockIdx.x == 0) {
    values[threadIdx.x] = threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    if (threadIdx.x == 0) {
      while (*flag == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    values[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
  }
}

int main() {
  int *values, *flag;
  cudaMalloc(&values, 5 * 64 * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  by_fences<<<5, 32>>>(values);
  by_release_and_acquire<<<5, 32>>>(values);
  by_a_whole_block<<<5, 64>>>(values, flag);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(flag);
  return error;
}
