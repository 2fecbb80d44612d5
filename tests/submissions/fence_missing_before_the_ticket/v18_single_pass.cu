#include "reduction.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kWarps = kThreads / kWarpSize;
constexpr unsigned kBlocksPerMultiprocessor = 8;  // 8 * 256 threads fill a multiprocessor that can hold 2048

// How many blocks of the running launch have left their sum. 0 between two launches: the last block of each
// takes care of that. Two launches at the same time would count each other's blocks; who needs that gives
// each call a ticket of its own, in its workspace, and clears it by cudaMemsetAsync.
__device__ unsigned ticket = 0;

// The sum of what the threads of a block bring, in thread 0. All of them must call it together.
__device__ value_t block_sum(value_t mine) {
  __shared__ value_t of_warp[kWarps];
  const unsigned lane = threadIdx.x % kWarpSize;
  const unsigned warp = threadIdx.x / kWarpSize;
  for (unsigned s = kWarpSize / 2; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffffU, mine, s);
  if (lane == 0) of_warp[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    mine = lane < kWarps ? of_warp[lane] : value_t{0};
    for (unsigned s = kWarpSize / 2; s > 0; s /= 2) mine += __shfl_down_sync(0xffffffffU, mine, s);
  }
  return mine;
}

// Writes the sum of all values to *sum. partial: a place for every block.
__global__ void single_pass(const value_t* values, std::size_t n, value_t* partial, value_t* sum) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  const std::size_t first = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  value_t mine = 0;
  for (std::size_t i = first; i < n; i += stride) mine += values[i];
  mine = block_sum(mine);

  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    // atomicInc returns the old count, and starts again at 0 after gridDim.x - 1: the next launch, of any
    // size, finds a fresh ticket. With atomicAdd the last block has to set it back; if that is forgotten, the
    // first call is right and no other.
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;  // the same for the whole block

  mine = 0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += kThreads) mine += partial[k];  // here
  mine = block_sum(mine);
  if (threadIdx.x == 0) *sum = mine;
}

extern "C" void v18_single_pass(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                                cudaStream_t stream) {
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);

  std::size_t blocks = n == 0 ? 1 : (n + kThreads - 1) / kThreads;
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  if (blocks > most) blocks = most;
  single_pass<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, work.data, sum);
}
