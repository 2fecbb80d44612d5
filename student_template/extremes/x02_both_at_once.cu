// What changes: a thread keeps least, greatest and both positions of all the values that it looks at.
// What that cures: the second and the third reading: one pass finds everything.
// What still hurts: 24 bytes a thread in shared memory, and a barrier for each step of the tree.
// What to expect: clearly more than x01: the values are read once instead of three times.
#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Takes over what is better in `other`: a better value, or the same one at a lower position.
__device__ void take(Extremes& mine, const Extremes& other) {
  // TODO: least and least_at, then greatest and greatest_at. Equal values: which position stays?
  (void)mine, (void)other;  // delete this line: it only quiets the compiler
}

// The best of what the threads of a block bring, in thread 0. All of them must call it together.
__device__ Extremes best_of_block(const Extremes& mine) {
  // TODO: a tree in shared memory with take() at each step. Where do all threads have to meet?
  return mine;
}

// Writes the extremes of the values that fall to this block to partial[blockIdx.x].
__global__ void both_at_once(const value_t* values, std::size_t n, Extremes* partial) {
  // TODO: look at values i, i + stride, i + 2 * stride, ...; begin with extremes_of_nothing(n).
  // TODO: a NaN must change nothing. Which comparisons see to that by themselves?
  (void)values, (void)n, (void)partial;  // delete this line: it only quiets the compiler
}

// One block: the best of all blocks' results.
__global__ void best_of_blocks(const Extremes* partial, std::size_t count, std::size_t n,
                               Extremes* extremes) {
  // TODO: as above, with the blocks' results instead of the values.
  (void)partial, (void)count, (void)n, (void)extremes;  // delete it, too
}

extern "C" void x02_both_at_once(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                                 cudaStream_t stream) {
  // TODO: enough blocks for the whole GPU (cudaDevAttrMultiProcessorCount), no more than needed,
  // then one block for their results. What happens for n = 0?
  (void)values, (void)n, (void)extremes, (void)work, (void)stream, (void)kThreads;
  (void)kBlocksPerMultiprocessor;
}
