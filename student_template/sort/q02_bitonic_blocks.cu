// What changes: a block sorts 1024 pairs by a bitonic network: 55 steps, exchanges at growing distances.
// What that cures: the 256 steps of q01, and two of the merges: runs begin four times as long.
// What still hurts: the merges: they read all pairs for every doubling, and each number searches anew.
// What to expect: more than q01, the less the more merges follow.
#include "packed.h"

constexpr unsigned kThreads = 512;
constexpr unsigned kChunk = 2 * kThreads;  // pairs a block: a thread compares two

// Sorts each 1024 neighbouring numbers.
__global__ void bitonic(Packed* packed, std::size_t n) {
  // TODO: 1024 numbers in shared memory; what do places past n hold?
  // TODO: for size = 2, 4, ..., 1024 and distance = size/2, size/4, ..., 1: each thread puts two
  // numbers in order that are `distance` apart. Which two, and when is the order falling?
  // TODO: where do all threads of the block have to meet?
  (void)packed, (void)n, (void)kChunk;  // delete this line: it only quiets the compiler
}

// Merges each two neighbouring runs of `run` sorted numbers.
__global__ void merge_by_rank(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // TODO: as in q01.
  (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
}

extern "C" void q02_bitonic_blocks(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: as in q01, with longer runs to begin with.
  (void)pairs, (void)work, (void)stream, (void)kThreads;  // delete this line, too
}
