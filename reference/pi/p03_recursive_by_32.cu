// What changes: the warp is the unit: 32 rectangles become one area, 32 areas one, until one is left.
// What that cures: barriers: the lanes of a warp wait only for each other, and no warp waits for another.
// What still hurts: n / 32 areas are written to memory and read; each thread computes one rectangle.
// What to expect: between p01 and p02: 1/32 of p01's memory traffic, and one launch per level.
#include "pi.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;  // eight independent warps per block

// Returns, in lane 0, the sum of the warp's `mine`. All 32 lanes must call it together.
__device__ value_t warp_sum(value_t mine) {
  // <solution> TODO: five steps of __shfl_down_sync. Which lanes must be in the mask?
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2) {
    mine += __shfl_down_sync(0xffffffffU, mine, offset);
  }
  // </solution>
  return mine;
}

// The number of this thread in the grid. 64 bits, or it wraps around for a large n.
__device__ std::size_t number_of_thread() {
  return std::size_t{blockIdx.x} * kThreads + threadIdx.x;
}

// Every warp writes the area of 32 neighbouring rectangles to sums[index of the warp in the grid].
__global__ void areas_of_32(const value_t* limits, std::size_t n, value_t* sums) {
  // <solution> TODO: one rectangle per lane, 0 past the last one (why must its lane not return?), warp_sum,
  // <solution> and lane 0 writes if its warp has any rectangle.
  // <stub> (void)limits, (void)n, (void)sums;  // delete this line: it only quiets the compiler
  const std::size_t i = number_of_thread();
  const value_t begin = limits[0];
  const value_t h = (limits[1] - begin) / static_cast<value_t>(n);
  const value_t x = begin + (static_cast<value_t>(i) + value_t{0.5}) * h;
  // No early return: all 32 lanes are in the shuffle's mask.
  const value_t sum = warp_sum(i < n ? h * (value_t{4} / (value_t{1} + x * x)) : value_t{0});
  if (i < n && i % kWarpSize == 0) sums[i / kWarpSize] = sum;
  // </solution>
}

// Every warp writes the sum of 32 neighbouring values to sums[index of the warp in the grid].
__global__ void sums_of_32(const value_t* values, std::size_t n, value_t* sums) {
  // <solution> TODO: the same, with the given values.
  // <stub> (void)values, (void)n, (void)sums;  // delete this line: it only quiets the compiler
  const std::size_t i = number_of_thread();
  const value_t sum = warp_sum(i < n ? values[i] : value_t{0});
  if (i < n && i % kWarpSize == 0) sums[i / kWarpSize] = sum;
  // </solution>
}

// Sums n > 0 values to *sum; `room` is the unused part of the workspace.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // <solution> TODO: one launch writes n / 32 sums (rounded up) to `room`, or to sum if there is only one. Then the
  // <solution> same function sums those. Where does its own room start?
  // <stub> (void)values, (void)n, (void)sum, (void)room, (void)stream;  // delete it, too
  const std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t warps = (n + kWarpSize - 1) / kWarpSize;
  sums_of_32<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, warps == 1 ? sum : room);
  if (warps > 1) sum_by_32(room, warps, sum, room + warps, stream);
  // </solution>
}

extern "C" void p03_recursive_by_32(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                                    cudaStream_t stream) {
  // <solution> TODO: launch areas_of_32, then call sum_by_32 for its results. What about n = 0?
  // <stub> (void)limits, (void)n, (void)area, (void)work, (void)stream, (void)kWarpSize, (void)kThreads;
  if (n == 0) {
    cudaMemsetAsync(area, 0, sizeof(value_t), stream);  // all bits zero is the value 0
    return;
  }
  const std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t warps = (n + kWarpSize - 1) / kWarpSize;
  areas_of_32<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(limits, n, work.data);
  sum_by_32(work.data, warps, area, work.data + warps, stream);
  // </solution>
}
