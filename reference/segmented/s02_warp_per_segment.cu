// What changes: the 32 lanes of a warp share a segment, and add their sums with shuffles.
// What that cures: scattered reads: each step reads 32 neighbouring values, a few whole sectors.
// What still hurts: a segment of 5 values leaves 27 lanes idle; a huge one still has only one warp.
// What to expect: faster than s01 if segments are long; slower if they are very short.
#include "segmented.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;
constexpr unsigned kWarps = kThreads / kWarpSize;

__global__ void warp_per_segment(const Segments input, value_t* sums) {
  // <solution> TODO: the index of this warp in the grid is the segment. Each lane sums every 32nd value.
  // <solution> TODO: five steps of __shfl_down_sync, then lane 0 writes. Which lanes are in the mask, and which
  // <solution> may return early?
  // <stub> (void)input, (void)sums, (void)kWarps;  // delete this line: it only quiets the compiler
  const unsigned lane = threadIdx.x % kWarpSize;
  const std::size_t s = std::size_t{blockIdx.x} * kWarps + threadIdx.x / kWarpSize;
  if (s >= input.segments) return;  // the same for the whole warp, so no lane is missing below
  const unsigned end = input.offsets[s + 1];
  value_t sum = 0;
  for (unsigned i = input.offsets[s] + lane; i < end; i += kWarpSize) sum += input.values[i];
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffU, sum, offset);
  }
  if (lane == 0) sums[s] = sum;
  // </solution>
}

extern "C" void s02_warp_per_segment(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // <solution> TODO: launch one warp per segment. How many blocks are that, and what if there is no segment?
  // <stub> (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
  if (input.segments == 0) return;
  const std::size_t blocks = (input.segments + kWarps - 1) / kWarps;
  warp_per_segment<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(input, sums);
  // </solution>
}
