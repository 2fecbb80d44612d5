// <reference only>
// What changes: a thread loads 16 bytes at a time, and starts four loads before it uses the first.
// What that cures: x04's wait for memory: 4 bytes in flight per thread cannot saturate it, 64 can.
// What still hurts: four comparisons per element, which is why the position is compared only in a tie.
// What to expect: the memory bandwidth, as in `reduction`: each value is read once.
#include <cstdint>

#include "extremes.h"
#include "no_value.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kWarpSize = 32;
constexpr unsigned kLoads = 4;  // loads that a thread starts before it uses the first
constexpr unsigned kBlocksPerMultiprocessor = 8;
constexpr unsigned kValuesPerPack = 16 / sizeof(value_t);

struct alignas(16) Pack {
  value_t values[kValuesPerPack];
};

__device__ void look(Extremes& mine, value_t least, std::size_t least_at, value_t greatest,
                     std::size_t greatest_at) {
  if (least < mine.least || (least == mine.least && least_at < mine.least_at)) {
    mine.least = least;
    mine.least_at = least_at;
  }
  if (greatest > mine.greatest || (greatest == mine.greatest && greatest_at < mine.greatest_at)) {
    mine.greatest = greatest;
    mine.greatest_at = greatest_at;
  }
}

__device__ Extremes best_of_block(Extremes mine) {
  __shared__ Extremes of_warp[kThreads / kWarpSize];
  const unsigned lane = threadIdx.x % kWarpSize;
  const unsigned warp = threadIdx.x / kWarpSize;
  for (unsigned turn = 0; turn < 2; ++turn) {
#pragma unroll
    for (unsigned s = kWarpSize / 2; s > 0; s /= 2) {
      look(mine, __shfl_down_sync(0xffffffffU, mine.least, s),
           __shfl_down_sync(0xffffffffU, mine.least_at, s), __shfl_down_sync(0xffffffffU, mine.greatest, s),
           __shfl_down_sync(0xffffffffU, mine.greatest_at, s));
    }
    if (turn == 1) return mine;
    if (lane == 0) of_warp[warp] = mine;
    __syncthreads();
    if (warp != 0) return mine;
    mine = of_warp[lane < kThreads / kWarpSize ? lane : 0];
  }
  return mine;
}

// Layout of the values: [ head, one by one | packs, 16 bytes each | tail, one by one ]
__global__ void __launch_bounds__(kThreads)
    peak(const value_t* values, std::size_t n, std::size_t head, Extremes* partial) {
  const std::size_t thread = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * kThreads;
  const Pack* packs = reinterpret_cast<const Pack*>(values + head);
  const std::size_t count = (n - head) / kValuesPerPack;
  const std::size_t tail = head + count * kValuesPerPack;
  Extremes mine = extremes_of_nothing(n);
  const auto look_at = [&](value_t value, std::size_t i) { look(mine, value, i, value, i); };
  for (std::size_t first = thread; first < count; first += kLoads * threads) {
    Pack loaded[kLoads];
#pragma unroll
    for (unsigned k = 0; k < kLoads; ++k) {
      if (first + k * threads < count) loaded[k] = packs[first + k * threads];
    }
#pragma unroll
    for (unsigned k = 0; k < kLoads * kValuesPerPack; ++k) {
      const std::size_t pack = first + k / kValuesPerPack * threads;
      const std::size_t i = head + pack * kValuesPerPack + k % kValuesPerPack;
      if (pack < count) look_at(loaded[k / kValuesPerPack].values[k % kValuesPerPack], i);
    }
  }
  if (thread < head) look_at(values[thread], thread);
  if (thread < n - tail) look_at(values[tail + thread], tail + thread);
  mine = best_of_block(mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = mine;
}

__global__ void best_of_blocks(const Extremes* partial, unsigned count, std::size_t n, Extremes* extremes) {
  Extremes mine = extremes_of_nothing(n);
  for (unsigned k = threadIdx.x; k < count; k += kThreads) {
    look(mine, partial[k].least, partial[k].least_at, partial[k].greatest, partial[k].greatest_at);
  }
  mine = best_of_block(mine);
  if (threadIdx.x == 0) *extremes = mine;
}

extern "C" void x06_peak(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                         cudaStream_t stream) {
  int device = 0;
  int multiprocessors = 1;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  const std::size_t past = reinterpret_cast<std::uintptr_t>(values) % sizeof(Pack) / sizeof(value_t);
  std::size_t head = past == 0 ? 0 : kValuesPerPack - past;
  if (head > n) head = n;
  constexpr std::size_t kPerBlock = std::size_t{kThreads} * kValuesPerPack;
  std::size_t blocks = (n + kPerBlock - 1) / kPerBlock;
  const std::size_t most = std::size_t{kBlocksPerMultiprocessor} * static_cast<unsigned>(multiprocessors);
  if (blocks > most) blocks = most;
  if (n > 0) peak<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(values, n, head, work.data);
  best_of_blocks<<<1, kThreads, 0, stream>>>(work.data, static_cast<unsigned>(blocks), n, extremes);
}
