// What changes: a grid of fixed size; every thread sums many values, then a tree, then one atomic per block.
// What that cures: idle threads and further passes; the number of trees no longer depends on n.
// What still hurts: each load brings one value, so many instructions are needed to keep the memory busy.
// What to expect: 2.8 times the speed of v07 (H200, 2^26 ints: 0.11 ms).
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;                // a power of two: the tree halves it down to 1
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Adds the sum of this block's values to *sum.
__global__ void shared_grid_stride(const value_t* values, std::size_t n, value_t* sum) {
  // TODO: every thread sums values[i] for i = its index in the grid, one grid further, ...
  // TODO: why not a contiguous piece for each thread? Think of what one warp loads at a time.
  // TODO: then the tree of v07 over the threads' sums, and one atomic_add to *sum per block.
  (void)values, (void)n, (void)sum;  // delete this line: it only quiets the compiler
}

extern "C" void v13_shared_grid_stride(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                       cudaStream_t stream) {
  // TODO: set *sum to 0 on the stream, then launch as many blocks as the GPU can hold at once
  // (ask cudaDeviceGetAttribute for cudaDevAttrMultiProcessorCount), but no more than n needs.
  (void)values, (void)n, (void)sum, (void)stream, (void)kThreads, (void)kBlocksPerMultiprocessor;
}
