#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;

__device__ void take(Extremes& mine, const Extremes& other) {
  if (other.least < mine.least) {
    mine.least = other.least;
    mine.least_at = other.least_at;
  }
  if (other.greatest > mine.greatest  /* here */) {
    mine.greatest = other.greatest;
    mine.greatest_at = other.greatest_at;
  }
}

// One block: simple, and enough to be wrong in.
__global__ void find(const value_t* values, std::size_t n, Extremes* extremes) {
  __shared__ Extremes shared[kThreads];
  Extremes mine = extremes_of_nothing(n);
  for (std::size_t i = threadIdx.x; i < n; i += kThreads) {
    const value_t value = values[i];
    take(mine, {value, value, i, i});
  }
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned s = kThreads / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) take(shared[threadIdx.x], shared[threadIdx.x + s]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *extremes = shared[0];
}

extern "C" void x02_both_at_once(const value_t* values, std::size_t n, Extremes* extremes, Workspace /*work*/,
                                 cudaStream_t stream) {
  find<<<1, kThreads, 0, stream>>>(values, n, extremes);
}
