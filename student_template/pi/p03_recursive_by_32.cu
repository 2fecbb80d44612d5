// What changes: the warp is the unit: 32 rectangles become one area, 32 areas one, until one is left.
// What that cures: barriers: the lanes of a warp wait only for each other, and no warp waits for another.
// What still hurts: n / 32 areas are written to memory and read; each thread computes one rectangle.
// What to expect: between p01 and p02: 1/32 of p01's memory traffic, and one launch per level.
#include "pi.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;  // eight independent warps per block

// Returns, in lane 0, the sum of the warp's `mine`. All 32 lanes must call it together.
__device__ value_t warp_sum(value_t mine) {
  // TODO: five steps of __shfl_down_sync. Which lanes must be in the mask?
  return mine;
}

// The number of this thread in the grid. 64 bits, or it wraps around for a large n.
__device__ std::size_t number_of_thread() {
  return std::size_t{blockIdx.x} * kThreads + threadIdx.x;
}

// Every warp writes the area of 32 neighbouring rectangles to sums[index of the warp in the grid].
__global__ void areas_of_32(const value_t* limits, std::size_t n, value_t* sums) {
  // TODO: one rectangle per lane, 0 past the last one (why must its lane not return?), warp_sum,
  // and lane 0 writes if its warp has any rectangle.
  (void)limits, (void)n, (void)sums;  // delete this line: it only quiets the compiler
}

// Every warp writes the sum of 32 neighbouring values to sums[index of the warp in the grid].
__global__ void sums_of_32(const value_t* values, std::size_t n, value_t* sums) {
  // TODO: the same, with the given values.
  (void)values, (void)n, (void)sums;  // delete this line: it only quiets the compiler
}

// Sums n > 0 values to *sum; `room` is the unused part of the workspace.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // TODO: one launch writes n / 32 sums (rounded up) to `room`, or to sum if there is only one. Then the
  // same function sums those. Where does its own room start?
  (void)values, (void)n, (void)sum, (void)room, (void)stream;  // delete it, too
}

extern "C" void p03_recursive_by_32(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                                    cudaStream_t stream) {
  // TODO: launch areas_of_32, then call sum_by_32 for its results. What about n = 0?
  (void)limits, (void)n, (void)area, (void)work, (void)stream, (void)kWarpSize, (void)kThreads;
}
