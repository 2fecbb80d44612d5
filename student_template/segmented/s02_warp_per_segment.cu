// What changes: the 32 lanes of a warp share a segment, and add their sums with shuffles.
// What that cures: scattered reads: each step reads 32 neighbouring values, a few whole sectors.
// What still hurts: a segment of 5 values leaves 27 lanes idle; a huge one still has only one warp.
// What to expect: faster than s01 if segments are long; slower if they are very short.
#include "segmented.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarpSize;

__global__ void warp_per_segment(const Segments input, value_t* sums) {
  // TODO: the index of this warp in the grid is the segment. Each lane sums every 32nd value.
  // TODO: five steps of __shfl_down_sync, then lane 0 writes. Which lanes are in the mask, and which
  // may return early?
  (void)input, (void)sums, (void)kWarps;  // delete this line: it only quiets the compiler
}

extern "C" void s02_warp_per_segment(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // TODO: launch one warp per segment. How many blocks are that, and what if there is no segment?
  (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
}
