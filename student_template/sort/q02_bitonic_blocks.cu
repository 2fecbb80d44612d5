// What changes: a block sorts 1024 pairs with a bitonic network of 55 steps.
// What that cures: the 256 steps of q01, and two of the merges: runs start four times as long.
// What still hurts: the merges: each doubling reads all pairs, with a binary search per number.
// What to expect: faster than q01; the gain shrinks with the number of merges.
#include "packed.h"

constexpr unsigned kThreads = 512;
constexpr unsigned kChunk = 2 * kThreads;  // pairs per block: each thread compares two

// Sorts each run of 1024 numbers.
__global__ void bitonic(Packed* packed, std::size_t n) {
  // TODO: load 1024 numbers into shared memory; what do elements past n hold?
  // TODO: for size = 2, 4, ..., 1024 and distance = size/2, size/4, ..., 1: each thread puts two
  // numbers in order that are `distance` apart. Which two, and when is the order descending?
  // TODO: where must all threads of the block synchronise?
  (void)packed, (void)n, (void)kChunk;  // delete this line: it only quiets the compiler
}

// Merges each two neighbouring runs of `run` sorted numbers.
__global__ void merge_by_rank(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // TODO: as in q01.
  (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
}

extern "C" void q02_bitonic_blocks(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: as in q01, but the runs start longer.
  (void)pairs, (void)work, (void)stream, (void)kThreads;  // delete this line, too
}
