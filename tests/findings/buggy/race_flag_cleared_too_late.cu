// A flag is cleared by a plain store when its reader has already let the writer set it once more.
#include <cstdio>
#include <cuda/atomic>

__device__ unsigned flag, answered;
using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

__global__ void twice() {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 1) {
    Flag(flag).store(1, cuda::memory_order_release);
    while (Flag(answered).load(cuda::memory_order_acquire) == 0) {
    }
    Flag(flag).store(2, cuda::memory_order_release);  // OTHER(race)
  } else {
    while (Flag(flag).load(cuda::memory_order_acquire) == 0) {
    }
    Flag(answered).store(1, cuda::memory_order_release);
    flag = 0;  // EXPECT(race)
  }
}

int main() {
  twice<<<2, 32>>>();
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return cudaGetLastError();
}
