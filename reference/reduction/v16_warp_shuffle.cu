// What changes: a warp sums in registers (__shfl_down_sync); shared memory is used only between warps.
// What that cures: one barrier per block is left of v13's nine; shared memory holds one value per warp.
// What still hurts: each load still brings one value.
// What to expect: v13's time (H200, 2^26 ints: 0.11 ms), since both wait for memory; less work.
#include "atomic_add.h"
#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// Returns, in lane 0, the sum of `mine` over the warp; the other lanes get a partial sum.
// All 32 must call it together.
__device__ value_t warp_sum(value_t mine) {
  // <solution> TODO: for offset = 16, 8, 4, 2, 1: add the value of the lane `offset` further on.
  // <solution> TODO: what does the mask 0xffffffff mean?
  // The mask names the lanes that take part. They synchronise here, so no barrier is needed between steps.
  for (unsigned offset = kWarpSize / 2; offset > 0; offset /= 2) {
    mine += __shfl_down_sync(0xffffffffU, mine, offset);
  }
  // </solution>
  return mine;
}

// Adds the sum of this block's values to *sum.
__global__ void warp_shuffle(const value_t* values, std::size_t n, value_t* sum) {
  // <solution> TODO: sum the values over the grid as in v13, then over the warp with warp_sum.
  // <solution> TODO: lane 0 of each warp writes its sum to shared memory; where is a barrier needed?
  // <solution> TODO: the first warp sums those, and one thread adds the block's sum to *sum.
  // <stub> (void)values, (void)n, (void)sum, (void)kWarps;  // delete this line: it only quiets the compiler
  __shared__ value_t of_warp[kWarps];
  const unsigned lane = threadIdx.x % kWarpSize;
  const unsigned warp = threadIdx.x / kWarpSize;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  value_t mine = 0;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::size_t i = first; i < n; i += stride) mine += values[i];

  mine = warp_sum(mine);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();

  // Whole warps take this branch or skip it, so all 32 lanes in the mask take part.
  if (warp == 0) {
    mine = warp_sum(lane < kWarps ? of_warp[lane] : value_t{0});
    if (lane == 0) atomic_add(sum, mine);
  }
  // </solution>
}

extern "C" void v16_warp_shuffle(const value_t* values, std::size_t n, value_t* sum, Workspace /*work*/,
                                 cudaStream_t stream) {
  // <solution> TODO: as in v13.
  // <stub> (void)values, (void)n, (void)sum, (void)stream, (void)kBlocksPerMultiprocessor;
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n == 0) return;
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);

  std::size_t blocks = (n + kThreads - 1) / kThreads;
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  if (blocks > most) blocks = most;
  warp_shuffle<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, sum);
  // </solution>
}
