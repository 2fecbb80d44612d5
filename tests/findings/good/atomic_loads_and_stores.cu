// An atomic load is no conflict with a plain one, and of two atomic stores to one word either may stay.
#include <cstdio>
#include <cuda/atomic>

using Count = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void start(Count* counts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) counts[i] = i % 7;
}

__global__ void visit(int* labels, int* seen, int* marks, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int own = labels[i];
  cuda::atomic_ref<int> neighbour(labels[(i + 1) % n]);
  cuda::atomic_ref<int, cuda::thread_scope_block> same_block(labels[blockIdx.x * blockDim.x]);
  seen[i] = own + neighbour.load(cuda::memory_order_relaxed) + same_block.load();
  cuda::atomic_ref<int> mark(marks[i % 4]);
  mark.store(i % 8 < 4 ? 1 : 2, cuda::memory_order_relaxed);
}

__global__ void count(Count* counts, int* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, counts[i].load() + counts[(i + 1) % n]);
}

int main() {
  const int n = 300;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  int *labels, *seen, *marks, *sum;
  Count* counts;
  cudaMalloc(&labels, sizeof host);
  cudaMalloc(&seen, sizeof host);
  cudaMalloc(&marks, 4 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&counts, n * sizeof(Count));
  cudaMemcpy(labels, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(sum, 0, sizeof(int));
  visit<<<3, 128>>>(labels, seen, marks, n);
  start<<<3, 128>>>(counts, n);
  count<<<3, 128>>>(counts, sum, n);
  cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(host + 1, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[0], host[1]);
  cudaFree(labels);
  cudaFree(seen);
  cudaFree(marks);
  cudaFree(sum);
  cudaFree(counts);
  return cudaGetLastError();
}
