// What changes: the warp is the unit. 32 rectangles become one area, 32 areas one, and so on to the last.
// What that cures: barriers: the lanes of a warp wait for each other alone, and no warp waits for another.
// What still hurts: n / 32 areas go to memory and come back; a thread lives for one rectangle.
// What to expect: between p01 and p02: a thirty-second of p01's way through memory, and a launch a level.
#include "pi.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;  // eight warps that share a block, and nothing else

// The sum of what the 32 lanes of a warp bring, in lane 0. All of them must call it together.
__device__ value_t warp_sum(value_t mine) {
  // TODO: five steps of __shfl_down_sync. Which lanes does the mask have to name?
  return mine;
}

// The number of this thread in the grid. 64 bits, or it wraps round for a large n.
__device__ std::size_t number_of_thread() {
  return std::size_t{blockIdx.x} * kThreads + threadIdx.x;
}

// Every warp writes the area of 32 neighbouring rectangles to sums[number of the warp in the grid].
__global__ void areas_of_32(const value_t* limits, std::size_t n, value_t* sums) {
  // TODO: a rectangle a lane, 0 past the last one (why must its lane not return?), warp_sum,
  // and lane 0 writes, if its warp has any rectangle.
  (void)limits, (void)n, (void)sums;  // delete this line: it only quiets the compiler
}

// Every warp writes the sum of 32 neighbouring values to sums[number of the warp in the grid].
__global__ void sums_of_32(const value_t* values, std::size_t n, value_t* sums) {
  // TODO: the same with values that are there already.
  (void)values, (void)n, (void)sums;  // delete this line: it only quiets the compiler
}

// Sums n > 0 values to *sum; `room` is the part of the workspace that is not in use.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // TODO: one launch makes n / 32 sums (rounded up) in `room`, or in sum if there is one. Then the
  // same function sums those. Where does its own room begin?
  (void)values, (void)n, (void)sum, (void)room, (void)stream;  // delete it, too
}

extern "C" void p03_recursive_by_32(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                                    cudaStream_t stream) {
  // TODO: areas_of_32, then sum_by_32 for what it left. What of n = 0?
  (void)limits, (void)n, (void)area, (void)work, (void)stream, (void)kWarpSize, (void)kThreads;
}
