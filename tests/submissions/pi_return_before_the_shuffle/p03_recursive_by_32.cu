#include "pi.h"

// Right where n is a multiple of 32. Otherwise lanes of the last warp return before the shuffle whose mask names
// them.
__global__ void areas(const value_t* limits, std::size_t n, value_t* area) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;  // here
  const value_t h = (limits[1] - limits[0]) / static_cast<value_t>(n);
  const value_t x = limits[0] + (static_cast<value_t>(i) + value_t{0.5}) * h;
  value_t mine = h * (value_t{4} / (value_t{1} + x * x));
  for (unsigned s = 16; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffffU, mine, s);
  if (i % 32 == 0) atomicAdd(area, mine);
}

extern "C" void p03_recursive_by_32(const value_t* limits, std::size_t n, value_t* area, Workspace /*work*/,
                                    cudaStream_t stream) {
  cudaMemsetAsync(area, 0, sizeof(value_t), stream);
  if (n > 0) areas<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(limits, n, area);
}
