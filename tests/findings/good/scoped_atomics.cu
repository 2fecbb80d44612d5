// cuda::atomic and cuda::atomic_ref: counters, a published value, a maximum of floats.
#include <cstdlib>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> counter{0};

__global__ void count(int* total, float* largest, int* published, unsigned int* flag) {
  counter.fetch_add(1, cuda::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total);
  sum += 2;
  cuda::atomic_ref<float, cuda::thread_scope_device> maximum(*largest);
  maximum.fetch_max((float)(blockIdx.x * blockDim.x + threadIdx.x), cuda::memory_order_relaxed);
  cuda::atomic_ref<unsigned int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *published = 42;
    ready.store(1, cuda::memory_order_release);
  }
}

int main() {
  int* total;
  float* largest;
  int* published;
  unsigned int* flag;
  cudaMallocManaged(&total, sizeof(int));
  cudaMallocManaged(&largest, sizeof(float));
  cudaMallocManaged(&published, sizeof(int));
  cudaMallocManaged(&flag, sizeof(int));
  *total = 0;
  *largest = -1;
  *flag = 0;
  count<<<4, 64>>>(total, largest, published, flag);
  cudaDeviceSynchronize();
  if (*total != 512 || *largest != 255 || *published != 42 || *flag != 1) abort();
  cuda::atomic<int, cuda::thread_scope_system> here(3);
  if (here.exchange(5) != 3 || ++here != 6) abort();
  volatile cuda::atomic<int, cuda::thread_scope_system>& seen = here;
  seen.store(8, cuda::memory_order_release);
  if (seen.load(cuda::memory_order_acquire) != 8 || seen.fetch_add(1) != 8 || here != 9) abort();
  cudaFree(total);
  cudaFree(largest);
  cudaFree(published);
  cudaFree(flag);
}
