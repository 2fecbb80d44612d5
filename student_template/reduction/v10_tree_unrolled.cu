// What changes: the block size is a template parameter, and every step of the tree is unrolled.
// What that cures: the loop: no counter, no comparison with blockDim.x; steps that a block lacks vanish.
// What still hurts: two values per thread, and then a whole tree for them.
// What to expect: slightly faster than v09; much faster on the GPUs of 2007, where loops cost more.
#include "reduction.h"

constexpr unsigned kWarpSize = 32;

// Writes the sum of the block's 2 * kBlock values to partial[blockIdx.x]. kBlock: the threads in the block, a
// power of two from 64 to 512. Each value of kBlock instantiates its own kernel.
template <unsigned kBlock>
__global__ void tree_unrolled(const value_t* values, std::size_t n, value_t* partial) {
  // TODO: load and add two values as in v08.
  // TODO: instead of the loop, one `if constexpr (kBlock >= ...)` per step, from 512 down to 128: the
  // compiler then decides which steps exist. Which barriers may stand inside it?
  // TODO: the last warp as in v09.
  (void)values, (void)n, (void)partial, (void)kWarpSize;  // delete this line: it quiets the compiler
}

extern "C" void v10_tree_unrolled(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                  cudaStream_t stream) {
  // TODO: passes as in v08. A template argument is a constant, so a launcher chooses among kernels:
  // blocks of 256 threads, or one block of 64 if it can take all the values that are left.
  (void)values, (void)n, (void)sum, (void)work, (void)stream;  // delete this line, too
}
