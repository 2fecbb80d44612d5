// __nv_atomic_... in all its forms: counters, a lock, a flag, values of several sizes.
#include <cstdlib>

struct Shared {
  int count, largest, held, inside;
  unsigned int bits;
  float sum;
  unsigned long long total;
  long long least;
};

__global__ void work(Shared* all) {
  __nv_atomic_fetch_add(&all->count, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(&all->sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&all->total, 2ull, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&all->largest, static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
                  __NV_ATOMIC_RELAXED);
  __nv_atomic_min(&all->least, -static_cast<long long>(threadIdx.x), __NV_ATOMIC_RELAXED,
                  __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(&all->bits, 1u << threadIdx.x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  if (threadIdx.x == 0) {
    int expected = 0;
    while (!__nv_atomic_compare_exchange_n(&all->held, &expected, 1, false, __NV_ATOMIC_ACQUIRE,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE))
      expected = 0;
    all->inside = all->inside + 1;
    __nv_atomic_store_n(&all->held, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  }
}

int main() {
  Shared *device, host = {};
  host.total = 1000;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  work<<<3, 32>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  if (host.count != 96 || host.sum != 48 || host.total != 1000 - 192 || host.largest != 95) abort();
  if (host.least != -31 || host.bits != 0xffffffffu || host.inside != 3 || host.held != 0) abort();
}
