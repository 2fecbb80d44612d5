// cuda::std's atomics, a semaphore of two places, a latch; headers of cuda::std.
#include <cstdlib>
#include <cuda/cmath>
#include <cuda/latch>
#include <cuda/semaphore>
#include <cuda/std/atomic>
#include <cuda/std/chrono>
#include <cuda/std/cstring>
#include <cuda/std/variant>
#include <nv/target>

__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> places{2};
__device__ cuda::latch<cuda::thread_scope_device> ready{4};
__device__ cuda::std::atomic<int> inside, most, sum;

__global__ void visit(int* seen) {
  if (threadIdx.x == 0) {
    places.acquire();
    most.fetch_max(inside.fetch_add(1) + 1, cuda::std::memory_order_relaxed);
    sum += (int)blockIdx.x;
    --inside;
    places.release();
    ready.arrive_and_wait();
    seen[blockIdx.x] = sum.load();
  }
}

__host__ __device__ int side() {
  NV_IF_TARGET(NV_IS_HOST, (return 1;), (return 2;))
  return 0;
}

int main() {
  int *seen, host[4];
  cudaMalloc(&seen, sizeof host);
  visit<<<cuda::ceil_div(97, 32), 32>>>(seen);
  cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(seen);
  for (int each : host) {
    if (each != 6) abort();
  }
  const cuda::std::chrono::milliseconds limit(2);
  if (limit.count() != 2 || side() != 1 || cuda::round_up(33, 32) != 64) abort();
}
