// A flag is cleared by the block that has waited for it, by a plain store: it has acquired the store that set
// it.
#include <cuda/atomic>

__device__ unsigned flags[8];
__device__ volatile unsigned volatile_flags[8];
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void by_release_and_acquire(int* parts, int* sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    parts[blockIdx.x] = 1;
    Flag(flags[blockIdx.x]).store(1, cuda::memory_order_release);
    return;
  }
  for (unsigned block = 1; block < gridDim.x; ++block) {
    while (Flag(flags[block]).load(cuda::memory_order_acquire) == 0) {
    }
    *sum += parts[block];
    flags[block] = 0;
  }
}

__global__ void by_fences(volatile int* parts, int* sum) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x != 0) {
    parts[blockIdx.x] = 1;
    __threadfence();
    volatile_flags[blockIdx.x] = 1;
    return;
  }
  for (unsigned block = 1; block < gridDim.x; ++block) {
    // clang-format off
    while (volatile_flags[block] == 0) {} __threadfence(); *sum += parts[block]; volatile_flags[block] = 0;
    // clang-format on
  }
}

int main() {
  int* memory;
  cudaMalloc(&memory, 9 * sizeof(int));
  cudaMemset(memory, 0, 9 * sizeof(int));
  by_release_and_acquire<<<8, 32>>>(memory + 1, memory);
  by_fences<<<8, 32>>>(memory + 1, memory);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(memory);
  return error;
}
