// What changes: a whole block shares a segment; the sum is a tree in shared memory, as in `reduction`.
// What that cures: the wait for long segments: 256 threads read such a one at the same time.
// What still hurts: most segments are short, and for each of them a block is started and meets eight times.
// What to expect: better than s02 where segments have thousands of values; far worse where they have dozens.
#include "segmented.h"

constexpr unsigned kThreads = 256;  // a power of two: the tree halves it down to 1

__global__ void block_per_segment(const Segments input, value_t* sums) {
  // TODO: the block's number is the segment; its threads add up every 256th value.
  // TODO: a tree in shared memory. Who writes the sum, and what is that of an empty segment?
  (void)input, (void)sums;  // delete this line: it only quiets the compiler
}

extern "C" void s03_block_per_segment(Segments input, value_t* sums, Workspace /*work*/,
                                      cudaStream_t stream) {
  // TODO: one block a segment, unless there is none.
  (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
}
