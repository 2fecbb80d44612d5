// What changes: the grid is as large as the GPU, not as the matrix; threads go on, a whole grid apart.
// What that cures: starting a thread for one element; and a thread that stays in its column keeps its y.
// What still hurts: in a matrix of few columns most threads have none; each load still brings one value.
// What to expect: about g03's time, as both wait for memory, from far fewer blocks.
#include "grids.h"

constexpr unsigned kWide = 32;
constexpr unsigned kHigh = 8;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

__global__ void grid_stride(const Matrices m) {
  // <solution> TODO: two loops, both with the stride of the whole grid in that direction. Which is the outer
  // <solution> one, so that y has to be loaded only once a column?
  // <stub> (void)m;  // delete this line: it only quiets the compiler
  const std::size_t columns_apart = std::size_t{gridDim.x} * kWide;
  const std::size_t rows_apart = std::size_t{gridDim.y} * kHigh;
  for (std::size_t c = std::size_t{blockIdx.x} * kWide + threadIdx.x; c < m.columns; c += columns_apart) {
    const value_t y = m.y[c];
    for (std::size_t r = std::size_t{blockIdx.y} * kHigh + threadIdx.y; r < m.rows; r += rows_apart) {
      m.b.data[r * m.b.pitch + c] = m.a.data[r * m.a.pitch + c] + m.x[r] * y;
    }
  }
  // </solution>
}

extern "C" void g04_grid_stride(Matrices matrices, cudaStream_t stream) {
  // <solution> TODO: how many blocks does the GPU hold (cudaDevAttrMultiProcessorCount)? First as many in x as
  // <solution> the columns need, then what is left in y; at least 1 in each, no more than needed.
  // <stub> (void)matrices, (void)stream, (void)kWide, (void)kHigh, (void)kBlocksPerMultiprocessor;
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  const auto at_least_one = [](std::size_t count) { return count == 0 ? 1 : count; };

  std::size_t across = at_least_one((matrices.columns + kWide - 1) / kWide);
  if (across > most) across = most;
  std::size_t down = at_least_one((matrices.rows + kHigh - 1) / kHigh);
  // most is a few thousand, so that this stays below 65535, too.
  if (down > at_least_one(most / across)) down = at_least_one(most / across);
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  // For an empty matrix the loops do nothing: a case of its own is not needed.
  grid_stride<<<grid, dim3(kWide, kHigh), 0, stream>>>(matrices);
  // </solution>
}
