// The kernels that simulator_benchmark.cpp times: each block leaves the sum of its values in partial[blockIdx.x].
#include <cuda_runtime.h>

// A value a thread, 256 threads.
extern "C" __global__ void tree(const int* values, int* partial, size_t n) {
  __shared__ int shared[256];
  const unsigned tid = threadIdx.x;
  const size_t i = size_t{blockIdx.x} * 256 + tid;
  shared[tid] = i < n ? values[i] : 0;
  __syncthreads();
  for (unsigned s = 128; s > 0; s /= 2) {
    if (tid < s) shared[tid] += shared[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = shared[0];
}

extern "C" __global__ void shuffle(const int* values, int* partial, size_t n) {
  __shared__ int of_warp[8];
  int mine = 0;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += size_t{gridDim.x} * blockDim.x) {
    mine += values[i];
  }
  for (unsigned s = 16; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffffU, mine, s);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 8) return;
  mine = of_warp[threadIdx.x];
  for (unsigned s = 4; s > 0; s /= 2) mine += __shfl_down_sync(0xffU, mine, s);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}
