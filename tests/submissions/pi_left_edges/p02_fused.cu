#include "pi.h"

constexpr unsigned kThreads = 256;

__device__ value_t height(const value_t* limits, std::size_t n, std::size_t i) {
  const value_t h = (limits[1] - limits[0]) / static_cast<value_t>(n);
  const value_t x = limits[0] + (static_cast<value_t>(i)) * h;  // here
  return h * (value_t{4} / (value_t{1} + x * x));
}

// One block: simple, and enough to be wrong in.
__global__ void area_of_all(const value_t* limits, std::size_t n, value_t* area) {
  __shared__ value_t shared[kThreads];
  value_t mine = 0;
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) mine += height(limits, n, i);
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *area = shared[0];
}

extern "C" void p02_fused(const value_t* limits, std::size_t n, value_t* area, Workspace /*work*/,
                          cudaStream_t stream) {
  area_of_all<<<1, kThreads, 0, stream>>>(limits, n, area);
}
