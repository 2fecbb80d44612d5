// What changes: the warp is the unit: 32 values become one, 32 of those one, until one is left.
// What that cures: barriers: the lanes of a warp wait only for each other, and no warp waits for another.
// What still hurts: n/32 partial sums, eight times v07's number, go through memory in up to seven passes.
// What to expect: not a fast version: it shows a recursion, and a published mistake.
//
// Published was a host function that summed 32 values on the GPU and called itself, with a cudaMemcpy of its
// piece to the GPU in every call. The sums were right and every value crossed the bus again and again: the
// check `upload_once` exists because of it. Here the data is on the GPU already, and so are the partial sums.
#include "reduction.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;  // eight independent warps per block
constexpr unsigned kWarps = kThreads / kWarpSize;

// Every warp writes the sum of 32 neighbouring values to partial[index of the warp in the grid]; there are
// n / 32 of them, rounded up, at least one.
__global__ void sum_32(const value_t* values, std::size_t n, value_t* partial) {
  // TODO: each warp uses 32 elements of the block's shared memory. Each lane loads one value, or 0.
  // TODO: a tree of five steps inside the warp. What replaces __syncthreads?
  // TODO: lane 0 writes the warp's sum, if the warp has any value; for n = 0 warp 0 writes 0.
  (void)values, (void)n, (void)partial;  // delete this line: it only quiets the compiler
}

// Sums n values to *sum; `room` is the unused part of the workspace.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // TODO: one launch makes n / 32 partial sums (rounded up, at least one) in `room`, or in sum if
  // there is one. Then the same function sums those. Where does its own room begin?
  (void)values, (void)n, (void)sum, (void)room, (void)stream, (void)kWarps;  // delete it, too
}

extern "C" void v15_recursive_by_32(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                    cudaStream_t stream) {
  sum_by_32(values, n, sum, work.data, stream);
}
