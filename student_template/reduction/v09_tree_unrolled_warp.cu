// What changes: once 64 values are left, one warp finishes alone, in six unrolled steps with __syncwarp.
// What that cures: the last six barriers of a block, where seven warps waited for the one that worked.
// What still hurts: the upper steps are still a loop with a barrier each.
// What to expect: 1.35 times the speed of v08 (H200, 2^26 ints: 0.12 ms).
//
// This step is famous for being wrong. It was published without any synchronisation ("a warp runs in step, so
// none is needed"), then with `volatile` on the array. Both rely on all lanes of a warp executing together.
// Since Volta each lane has its own program counter and the lanes may run in any order: both versions have a
// race. __syncwarp does what the step needs: the lanes wait for each other and see what the others have
// stored.
#include "reduction.h"

constexpr unsigned kThreads = 256;  // a power of two, at least 64
constexpr unsigned kWarpSize = 32;
constexpr unsigned kValuesPerBlock = 2 * kThreads;

// One step of the last warp: lane `tid` adds the element s further on to `mine`, and stores the
// result. All 32 lanes must call it together.
__device__ value_t add_further_on(value_t* shared, unsigned tid, unsigned s, value_t mine) {
  // TODO: read shared[tid + s], add it, store the result in shared[tid].
  // TODO: no lane may store before all have read, and none may read the next step's value before
  // all have stored. Which two calls ensure that?
  (void)shared, (void)tid, (void)s;  // delete this line: it only quiets the compiler
  return mine;
}

// Writes the sum of the block's values to partial[blockIdx.x].
__global__ void tree_unrolled_warp(const value_t* values, std::size_t n, value_t* partial) {
  // TODO: as v08, but let the loop stop when 64 values are left (s > 32).
  // TODO: then the first warp alone: add_further_on for s = 32, 16, 8, 4, 2, 1.
  (void)values, (void)n, (void)partial, (void)kWarpSize;  // delete this line: it quiets the compiler
}

extern "C" void v09_tree_unrolled_warp(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                       cudaStream_t stream) {
  // TODO: passes as in v08.
  (void)values, (void)n, (void)sum, (void)work, (void)stream, (void)kValuesPerBlock;  // and this
}
