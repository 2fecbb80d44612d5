// What changes: the grid is as large as the GPU, not as the matrix; threads go on, a whole grid apart.
// What that cures: starting a thread for one element; and a thread that stays in its column keeps its y.
// What still hurts: in a matrix of few columns most threads have none; each load still brings one value.
// What to expect: about g03's time, as both wait for memory, from far fewer blocks.
#include "grids.h"

constexpr unsigned kWide = 32;
constexpr unsigned kHigh = 8;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

__global__ void grid_stride(const Matrices m) {
  // TODO: two loops, both with the stride of the whole grid in that direction. Which is the outer
  // one, so that y has to be loaded only once a column?
  (void)m;  // delete this line: it only quiets the compiler
}

extern "C" void g04_grid_stride(Matrices matrices, cudaStream_t stream) {
  // TODO: how many blocks does the GPU hold (cudaDevAttrMultiProcessorCount)? First as many in x as
  // the columns need, then what is left in y; at least 1 in each, no more than needed.
  (void)matrices, (void)stream, (void)kWide, (void)kHigh, (void)kBlocksPerMultiprocessor;
}
