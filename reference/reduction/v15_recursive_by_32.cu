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
  // <solution> TODO: each warp uses 32 elements of the block's shared memory. Each lane loads one value, or 0.
  // <solution> TODO: a tree of five steps inside the warp. What replaces __syncthreads?
  // <solution> TODO: lane 0 writes the warp's sum, if the warp has any value; for n = 0 warp 0 writes 0.
  // <stub> (void)values, (void)n, (void)partial;  // delete this line: it only quiets the compiler
  __shared__ value_t shared[kWarps][kWarpSize];
  const unsigned lane = threadIdx.x % kWarpSize;
  value_t* ours = shared[threadIdx.x / kWarpSize];
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  ours[lane] = i < n ? values[i] : value_t{0};

  for (unsigned s = kWarpSize / 2; s > 0; s /= 2) {
    __syncwarp();  // also orders memory: after it the lanes see what others stored before it
    if (lane < s) ours[lane] += ours[lane + s];
  }
  if (lane == 0 && (i < n || i == 0)) partial[i / kWarpSize] = ours[0];
  // </solution>
}

// Sums n values to *sum; `room` is the unused part of the workspace.
void sum_by_32(const value_t* values, std::size_t n, value_t* sum, value_t* room, cudaStream_t stream) {
  // <solution> TODO: one launch makes n / 32 partial sums (rounded up, at least one) in `room`, or in sum if
  // <solution> there is one. Then the same function sums those. Where does its own room begin?
  // <stub> (void)values, (void)n, (void)sum, (void)room, (void)stream, (void)kWarps;  // delete it, too
  const std::size_t blocks = n == 0 ? 1 : (n + kThreads - 1) / kThreads;
  const std::size_t warps = n == 0 ? 1 : (n + kWarpSize - 1) / kWarpSize;
  sum_32<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, warps == 1 ? sum : room);
  // n/32 + n/1024 + ... is less than n/16: it fits into the workspace, as long as no part is used twice.
  if (warps > 1) sum_by_32(room, warps, sum, room + warps, stream);
  // </solution>
}

extern "C" void v15_recursive_by_32(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                    cudaStream_t stream) {
  sum_by_32(values, n, sum, work.data, stream);
}
