// The neighbour's label is loaded atomically, but stored plainly.
#include <cstdio>
#include <cuda/atomic>

__global__ void spread(int* labels, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> neighbour(labels[(i + 64) % n]);
  const int other = neighbour.load(cuda::memory_order_relaxed);  // EXPECT(race)
  labels[i] = other + 1;                                         // OTHER(race)
}

int main() {
  const int n = 256;
  int* labels;
  cudaMalloc(&labels, n * sizeof(int));
  cudaMemset(labels, 0, n * sizeof(int));
  spread<<<2, 128>>>(labels, n);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(labels);
  return error;
}
