// What changes: one bitonic network over all pairs, a kernel a step; no merge, no second array.
// What that cures: searching: which two numbers meet depends on their places alone.
// What still hurts: log n (log n + 1) / 2 steps, each a launch that reads and writes everything; padding.
// What to expect: less than q02 for large n: a million pairs take 210 steps. The network belongs in a block.
#include "packed.h"

constexpr unsigned kThreads = 256;

// One step: puts numbers in order that are `distance` apart. A thread for each two.
__global__ void step(Packed* packed, std::size_t threads, std::size_t size, std::size_t distance) {
  // TODO: as one step in q02, in device memory. Why is no barrier needed?
  (void)packed, (void)threads, (void)size, (void)distance;  // delete this line, too
}

extern "C" void q03_bitonic_grid(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: the network wants a power of two. How much room is there, and what fills the rest of it?
  // TODO: a launch for every step: kernels of one stream run one after the other.
  (void)pairs, (void)work, (void)stream, (void)kThreads;  // delete this line, too
}
