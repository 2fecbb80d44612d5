// What changes: each thread computes 32 values that lie side by side.
// What still hurts: the loads of a warp are 128 bytes apart, so that each needs a sector of its own.
#include "assignment_name.h"

namespace {

constexpr unsigned kThreads = 256;
constexpr std::size_t kEach = 32;  // values per thread

__global__ void compute(const float* x, std::size_t n, float factor, float* y) {
  const std::size_t first = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) * kEach;
  for (std::size_t i = first; i < first + kEach && i < n; ++i) y[i] = factor * x[i] + 1;
}

}  // namespace

extern "C" void v01_chunks(const float* x, std::size_t n, float factor, float* y, cudaStream_t stream) {
  const std::size_t each = kThreads * kEach;
  const unsigned blocks = static_cast<unsigned>((n + each - 1) / each);
  if (blocks > 0) compute<<<blocks, kThreads, 0, stream>>>(x, n, factor, y);
}
