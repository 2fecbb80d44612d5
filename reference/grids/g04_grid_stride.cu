// What changes: the grid has the size of the GPU, not of the matrix; threads stride by the whole grid.
// What that cures: starting a thread for one element; a thread stays in its column and keeps its y.
// What still hurts: in a matrix of few columns most threads are idle; each load still brings one value.
// What to expect: about g03's time, since both wait for memory, with far fewer blocks.
#include "grids.h"

constexpr unsigned kWide = 32;
constexpr unsigned kHigh = 8;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

__global__ void grid_stride(const Matrices m) {
  // <solution> TODO: two loops, both with the stride of the whole grid in that direction. Which is the outer
  // <solution> one, so that y is loaded only once per column?
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
  // <solution> TODO: how many blocks does the GPU hold (cudaDevAttrMultiProcessorCount)? First cover the
  // <solution> columns in x, then use the remaining blocks in y; at least 1 in each, no more than needed.
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
  // `most` is a few thousand, so this stays below 65535.
  if (down > at_least_one(most / across)) down = at_least_one(most / across);
  const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(down));
  // For an empty matrix the loops do nothing, so it needs no special case.
  grid_stride<<<grid, dim3(kWide, kHigh), 0, stream>>>(matrices);
  // </solution>
}
