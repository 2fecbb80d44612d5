// What changes: work is cut by values, not by segments: each warp takes 1024 values, whosever they are.
// What that cures: the dependence on lengths: empty, short and huge segments cost what their values cost.
// What still hurts: a segment that several warps share is added up with atomics, so sums begin at 0.
// What to expect: the memory's speed at any mixture of lengths; the only version that a huge one cannot stop.
#include "segmented.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr std::size_t kChunk = 1024;  // values that a warp takes
constexpr unsigned kAll = 0xffffffffU;

// The segment that holds value i < n: the last one that does not begin behind it.
__device__ std::size_t segment_of(const Segments& input, std::size_t i) {
  // TODO: a binary search in the offsets. Which of several equal offsets must be found?
  (void)input;  // delete this line: it only quiets the compiler
  return i;
}

// Adds what the lanes bring to the sums of their segments. Lanes of one segment are neighbours: each adds up
// what lies behind it in the same segment, so that the first lane of each ends with all of it.
__device__ void add_by_segment(value_t mine, std::size_t s, value_t* sums) {
  // TODO: as a sum over the warp, but a value counts only if it comes from the same segment.
  (void)mine, (void)s, (void)sums;  // delete this line: it only quiets the compiler
}

__global__ void one_pass(const Segments input, value_t* sums) {
  // TODO: the warp's values, 32 at a time. Each lane needs the segment of its value: how far is it
  // from that of the value before?
  // TODO: while all 32 are of one segment, lanes add up in registers; else add_by_segment.
  (void)input, (void)sums, (void)kWarps, (void)kChunk, (void)kAll;  // delete this line, too
}

extern "C" void s04_one_pass(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // TODO: what must stand in the sums before the first atomic, also in those of empty segments?
  (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
}
