#include <algorithm>

#include "reduction.h"

namespace {

// A block's sum of what `next` brings for i = first, first + step, ... below n.
template <unsigned Threads, class Next>
__device__ value_t block_sum(std::size_t first, std::size_t step, std::size_t n, Next next) {
  __shared__ value_t shared[Threads];
  value_t mine{};
  for (auto i = first; i < n; i += step) mine += next(i);
  shared[threadIdx.x] = mine;
#pragma unroll
  for (unsigned s = Threads / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
  }
  return shared[0];  // for thread 0, which wrote it
}

template <unsigned Threads>
__global__ __launch_bounds__(Threads) void sum_blocks(const value_t* __restrict__ values, std::size_t n,
                                                      value_t* __restrict__ out) {
  const auto first = std::size_t{blockIdx.x} * Threads + threadIdx.x;
  const auto step = std::size_t{gridDim.x} * Threads;
  const auto total = block_sum<Threads>(first, step, n, [=](std::size_t i) { return values[i]; });
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

}  // namespace

extern "C" void v13_shared_grid_stride(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                       cudaStream_t stream) {
  constexpr unsigned kWide = 512, kNarrow = 64;
  const auto blocks = static_cast<unsigned>(std::clamp<std::size_t>(n / (kWide * 4), 1, 100));
  const auto launch = [stream](auto kernel, unsigned grid, unsigned block, auto... arguments) {
    kernel<<<grid, block, 0, stream>>>(arguments...);
  };
  launch(sum_blocks<kWide>, blocks, kWide, values, n, work.data);
  launch(sum_blocks<kNarrow>, 1, kNarrow, static_cast<const value_t*>(work.data), std::size_t{blocks}, sum);
}
