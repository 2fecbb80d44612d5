// The kernel says through an atomic of the whole system that it found something, and the host looks at it
// before the kernel's end.
#include <cstdio>
#include <cuda/std/atomic>

__global__ void look(const int* values, int* found, cuda::std::atomic<int>* state) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] != 77) return;
  *found = i;
  state->store(1, cuda::std::memory_order_release);
}

int main() {
  constexpr int kCount = 256;
  int host[kCount] = {};
  host[100] = 77;
  int *values, *found;
  cuda::std::atomic<int>* state;
  cudaMalloc(&values, sizeof host);
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMallocHost(&found, sizeof(int));
  cudaMallocHost(&state, sizeof *state);
  *found = -1;
  state->store(0);
  look<<<2, 128>>>(values, found, state);
  const bool early = static_cast<volatile cuda::std::atomic<int>*>(state)->load() == 1 && *found == 100;
  cudaDeviceSynchronize();
  const bool late = state->load() == 1 && *found == 100;
  cudaFree(values);
  cudaFreeHost(found);
  cudaFreeHost(state);
  return late || early ? 0 : 1;
}
