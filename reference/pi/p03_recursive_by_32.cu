// What changes: the warp is the unit. 32 rectangles become one area, 32 areas one, and so on to the last.
// What that cures: barriers: the lanes of a warp wait for each other alone, and no warp waits for another.
// What still hurts: n / 32 areas go to memory and come back; a thread lives for one rectangle.
// What to expect: between p01 and p02: a thirty-second of p01's way through memory, and a launch a level.
#include "pi.h"

constexpr unsigned kWarpSize = 32;
constexpr unsigned kThreads = 256;  // eight warps that share a block, and nothing else

// The sum of what the 32 lanes of a warp bring, in lane 0. All of them must call it together.
__device__ value_t warp_sum(value_t mine) {
  // <solution> TODO: five steps of __shfl_down_sync. Which lanes does the mask have to name?
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2) {
    mine += __shfl_down_sync(0xffffffffU, mine, offset);
  }
  // </solution>
  return mine;
}

// The number of this thread in the grid. 64 bits, or it wraps round for a large n.
__device__ std::size_t number_of_thread() {
  return std::size_t{blockIdx.x} * kThreads + threadIdx.x;
}

// Every warp writes the area of 32 neighbouring rectangles to sums[number of the warp in the grid].
__global__ void areas_of_32(const value_t* limits, std::size_t n, value_t* sums) {
  // <solution> TODO: a rectangle a lane, 0 past the last one (why must its lane not return?), warp_sum,
  // <solution> and lane 0 writes, if its warp has any rectangle.
  // <stub> (void)limits, (void)n, (void)sums;  // delete this line: it only quiets the compiler
  const std::size_t i = number_of_thread();
  const value_t begin = limits[0];
  const value_t h = (limits[1] - begin) / static_cast<value_t>(n);
  const value_t x = begin + (static_cast<value_t>(i) + value_t{0.5}) * h;
  // No early return: the mask of the shuffle names all 32 lanes.
  const value_t sum = warp_sum(i < n ? h * (value_t{4} / (value_t{1} + x * x)) : value_t{0});
  if (i < n && i % kWarpSize == 0) sums[i / kWarpSize] = sum;
  // </solution>
}

// Every warp writes the sum of 32 neighbouring values to sums[number of the warp in the grid].
__global__ void sums_of_32(const value_t* values, std::size_t n, value_t* sums) {
  // <solution> TODO: the same with values that are there already.
  // <stub> (void)values, (void)n, (void)sums;  // delete this line: it only quiets the compiler
  const std::size_t i = number_of_thread();
  const value_t sum = warp_sum(i < n ? values[i] : value_t{0});
  if (i < n && i % kWarpSize == 0) sums[i / kWarpSize] = sum;
  // </solution>
}

// Sums n > 0 values to *sum; `room` is the part of the workspace that is not in use.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // <solution> TODO: one launch makes n / 32 sums (rounded up) in `room`, or in sum if there is one. Then the
  // <solution> same function sums those. Where does its own room begin?
  // <stub> (void)values, (void)n, (void)sum, (void)room, (void)stream;  // delete it, too
  const std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t warps = (n + kWarpSize - 1) / kWarpSize;
  sums_of_32<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, warps == 1 ? sum : room);
  if (warps > 1) sum_by_32(room, warps, sum, room + warps, stream);
  // </solution>
}

extern "C" void p03_recursive_by_32(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                                    cudaStream_t stream) {
  // <solution> TODO: areas_of_32, then sum_by_32 for what it left. What of n = 0?
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
