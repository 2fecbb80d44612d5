// What changes: a whole block shares a segment; the sum is a tree in shared memory, as in `reduction`.
// What that cures: the wait for long segments: 256 threads read one at the same time.
// What still hurts: most segments are short, and each of them costs a block with eight barriers.
// What to expect: faster than s02 if segments have thousands of values; much slower if they have dozens.
#include "segmented.h"

constexpr unsigned kThreads = 256;  // a power of two: the tree halves it down to 1

__global__ void block_per_segment(const Segments input, value_t* sums) {
  // TODO: the block's index is the segment; each thread sums every 256th value.
  // TODO: a tree in shared memory. Which thread writes the sum, and what is the sum of an empty segment?
  (void)input, (void)sums;  // delete this line: it only quiets the compiler
}

extern "C" void s03_block_per_segment(Segments input, value_t* sums, Workspace /*work*/,
                                      cudaStream_t stream) {
  // TODO: launch one block per segment, unless there are no segments.
  (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
}
