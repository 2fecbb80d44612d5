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
  // <solution> TODO: do a binary search in the offsets. Which of several equal offsets must it find?
  // <stub> (void)input;  // delete this line: it only quiets the compiler
  // <stub> return i;
  std::size_t low = 0;  // offsets[low] <= i < offsets[high]
  std::size_t high = input.segments;
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    if (input.offsets[middle] <= i) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
  // </solution>
}

// Adds the lanes' values to the sums of their segments. Lanes of one segment are neighbours: each sums the
// lanes after it in the same segment, so that the first lane of each segment has the total.
__device__ void add_by_segment(value_t mine, std::size_t s, value_t* sums) {
  // <solution> TODO: as a sum over the warp, but add a lane's value only if it has the same segment.
  // <stub> (void)mine, (void)s, (void)sums;  // delete this line: it only quiets the compiler
  const unsigned lane = threadIdx.x % kWarpSize;
  for (unsigned offset = 1; offset < kWarpSize; offset *= 2) {
    const value_t other = __shfl_down_sync(kAll, mine, offset);
    const std::size_t whose = __shfl_down_sync(kAll, s, offset);
    if (lane + offset < kWarpSize && whose == s) mine += other;
  }
  const std::size_t before = __shfl_up_sync(kAll, s, 1);
  if (lane == 0 || before != s) atomicAdd(&sums[s], mine);
  // </solution>
}

__global__ void one_pass(const Segments input, value_t* sums) {
  // <solution> TODO: loop over the warp's values, 32 at a time. Each lane needs the segment of its value: how far is it
  // <solution> from that of the value before?
  // <solution> TODO: while all 32 are in one segment, lanes sum in registers; else call add_by_segment.
  // <stub> (void)input, (void)sums, (void)kWarps, (void)kChunk, (void)kAll;  // delete this line, too
  const std::size_t warp = std::size_t{blockIdx.x} * kWarps + threadIdx.x / kWarpSize;
  const std::size_t begin = warp * kChunk;
  if (begin >= input.n) return;  // the same for the whole warp
  const std::size_t end = begin + kChunk < input.n ? begin + kChunk : input.n;
  std::size_t current = segment_of(input, begin);  // the segment of the lanes' sums so far
  std::size_t s = current;
  value_t sum = 0;
  for (std::size_t first = begin; first < end; first += kWarpSize) {
    const std::size_t i = first + threadIdx.x % kWarpSize;
    // A lane past the end keeps its segment and adds 0, so that all 32 take part.
    while (i < end && input.offsets[s + 1] <= i) ++s;
    const value_t value = i < end ? input.values[i] : value_t{0};
    if (__all_sync(kAll, s == current)) {
      sum += value;
    } else {
      add_by_segment(sum, current, sums);
      add_by_segment(value, s, sums);
      current = __shfl_sync(kAll, s, kWarpSize - 1);
      sum = 0;
    }
  }
  add_by_segment(sum, current, sums);
  // </solution>
}

extern "C" void s04_one_pass(Segments input, value_t* sums, Workspace /*work*/, cudaStream_t stream) {
  // <solution> TODO: what must the sums hold before the first atomic, also those of empty segments?
  // <stub> (void)input, (void)sums, (void)stream, (void)kThreads;  // delete this line, too
  if (input.segments > 0) cudaMemsetAsync(sums, 0, input.segments * sizeof(value_t), stream);
  if (input.n == 0) return;
  constexpr std::size_t kPerBlock = kChunk * kWarps;
  const std::size_t blocks = (input.n + kPerBlock - 1) / kPerBlock;
  one_pass<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(input, sums);
  // </solution>
}
