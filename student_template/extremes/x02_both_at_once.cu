// What changes: each thread keeps least, greatest and both positions for all the values that it reads.
// What that cures: reading the values three times: one pass finds everything.
// What still hurts: 24 bytes per thread in shared memory, and a barrier for each step of the tree.
// What to expect: clearly more than x01: the values are read once instead of three times.
#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Takes from `other` what is better: a better value, or an equal value at a lower position.
__device__ void take(Extremes& mine, const Extremes& other) {
  // TODO: least and least_at, then greatest and greatest_at. If values are equal, which position stays?
  (void)mine, (void)other;  // delete this line: it only quiets the compiler
}

// Returns, in thread 0, the best of the block's `mine`. All threads of the block must call it together.
__device__ Extremes best_of_block(const Extremes& mine) {
  // TODO: a tree in shared memory with take() at each step. Where must all threads synchronise?
  return mine;
}

// Writes the extremes of this block's values to partial[blockIdx.x].
__global__ void both_at_once(const value_t* values, std::size_t n, Extremes* partial) {
  // TODO: read values i, i + stride, i + 2 * stride, ...; start with extremes_of_nothing(n).
  // TODO: a NaN must change nothing. Which comparisons ensure that?
  (void)values, (void)n, (void)partial;  // delete this line: it only quiets the compiler
}

// One block: combines the results of all blocks.
__global__ void best_of_blocks(const Extremes* partial, std::size_t count, std::size_t n,
                               Extremes* extremes) {
  // TODO: as above, with the blocks' results instead of the values.
  (void)partial, (void)count, (void)n, (void)extremes;  // delete it, too
}

extern "C" void x02_both_at_once(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                 cudaStream_t stream) {
  // TODO: launch enough blocks for the whole GPU (cudaDevAttrMultiProcessorCount), no more than needed,
  // then one block that combines their results. What happens for n = 0?
  (void)values, (void)n, (void)extremes, (void)work, (void)stream, (void)kThreads;
  (void)kBlocksPerMultiprocessor;
}
