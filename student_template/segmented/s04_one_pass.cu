// What changes: work is divided by values, not by segments: each warp takes 1024 values of any segment.
// What that cures: the dependence on lengths: a segment costs what its values cost.
// What still hurts: warps that share a segment add to its sum with atomics, so sums must start at 0.
// What to expect: memory bandwidth for any mixture of lengths, even with one huge segment.
#include "segmented.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr std::size_t kChunk = 1024;  // values that a warp takes
constexpr unsigned kAll = 0xffffffffU;

// Returns the segment that holds value i < n: the last one with offsets[s] <= i.
__device__ std::size_t segment_of(const Segments& input, std::size_t i) {
  // TODO: do a binary search in the offsets. Which of several equal offsets must it find?
  (void)input;  // delete this line: it only quiets the compiler
  return i;
}

// Adds the lanes' values to the sums of their segments. Lanes of one segment are neighbours: each sums the
// lanes after it in the same segment, so that the first lane of each segment has the total.
__device__ void add_by_segment(value_t mine, std::size_t s, value_t* sums) {
  // TODO: as a sum over the warp, but add a lane's value only if it has the same segment.
  (void)mine, (void)s, (void)sums;  // delete this line: it only quiets the compiler
}

__global__ void one_pass(const Segments input, value_t* sums) {
  // TODO: loop over the warp's values, 32 at a time. Each lane needs the segment of its value: how far is it
  // from that of the value before?
  // TODO: while all 32 are in one segment, lanes sum in registers; else call add_by_segment.
  (void)input, (void)sums, (void)kWarps, (void)kChunk, (void)kAll;  // delete this line, too
}

extern "C" void s04_one_pass(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // TODO: what must the sums hold before the first atomic, also those of empty segments?
  (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
}
