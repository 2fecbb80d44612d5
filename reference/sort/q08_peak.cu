// <reference only>
// What changes: q05 with 8 bits per pass, 4096 numbers per block, sorted in shared memory before the move.
// What that cures: half of the passes; and scattered stores: equal digits are stored as neighbours.
// What still hurts: a number is still read twice per pass: count and move could be one kernel, as in CUB.
// What to expect: clearly faster than q05, slower than q07.
#include "q08_counts.h"

// Moves each number behind all smaller digits, and behind earlier numbers with the same digit.
__global__ void __launch_bounds__(kThreads)
    scatter(const Packed* from, Packed* to, std::size_t n, unsigned shift, const unsigned* starts) {
  __shared__ Packed ordered_tile[kTile];
  __shared__ unsigned of_warp[kWarps][kDigits];  // how many came, then where the warp's begin in the tile
  __shared__ unsigned target[kDigits];           // from a place in the tile to one in the array
  const unsigned lane = threadIdx.x % kWarpSize;
  const unsigned warp = threadIdx.x / kWarpSize;
  for (unsigned w = 0; w < kWarps; ++w) of_warp[w][threadIdx.x] = 0;
  __syncthreads();
  // A warp takes 512 neighbours, 32 at a time, in their order: this keeps the pass stable.
  const std::size_t tile = std::size_t{blockIdx.x} * kTile;
  const std::size_t first = tile + warp * kWarpSize * kItems + lane;
  Packed numbers[kItems];
  unsigned ranks[kItems];  // among the numbers of this warp and digit
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    const bool is_there = first + k * kWarpSize < n;
    numbers[k] = is_there ? from[first + k * kWarpSize] : kBehindAll;
    const unsigned digit = digit_of(numbers[k], shift);
    unsigned same = __ballot_sync(kAll, is_there);
#pragma unroll
    for (unsigned bit = 1; bit < kDigits; bit *= 2) {
      const unsigned with = __ballot_sync(kAll, (digit & bit) != 0);
      same &= (digit & bit) != 0 ? with : ~with;
    }
    const unsigned before = __popc(same & ((1U << lane) - 1));
    ranks[k] = of_warp[warp][digit] + before;
    __syncwarp();  // all have read before the first lane of each digit writes
    if (is_there && before == 0) of_warp[warp][digit] += __popc(same);
    __syncwarp();
  }
  __syncthreads();
  unsigned total = 0;  // of digit threadIdx.x
  for (unsigned w = 0; w < kWarps; ++w) total += of_warp[w][threadIdx.x];
  unsigned start = sum_before<kDigits>(total);
  target[threadIdx.x] = starts[std::size_t{threadIdx.x} * gridDim.x + blockIdx.x] - start;
  for (unsigned w = 0; w < kWarps; ++w) {
    const unsigned own = of_warp[w][threadIdx.x];
    of_warp[w][threadIdx.x] = start;
    start += own;
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < kItems; ++k) {
    if (first + k * kWarpSize < n) {
      ordered_tile[of_warp[warp][digit_of(numbers[k], shift)] + ranks[k]] = numbers[k];
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kTile && tile + i < n; i += kThreads) {
    to[target[digit_of(ordered_tile[i], shift)] + i] = ordered_tile[i];
  }
}

extern "C" void q08_peak(Pairs pairs, Workspace work, cudaStream_t stream) {
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  auto* counts = reinterpret_cast<unsigned*>(work.data + 2 * pairs.n);  // n / 16 + 256 at most
  pack(pairs, from, pairs.n, stream);
  const unsigned blocks = blocks_for(pairs.n, kTile);
  for (unsigned shift = 32; shift < 64; shift += kBits) {
    count<<<blocks, kThreads, 0, stream>>>(from, pairs.n, shift, counts);
    scan<<<1, kScanThreads, 0, stream>>>(counts, std::size_t{kDigits} * blocks);
    scatter<<<blocks, kThreads, 0, stream>>>(from, to, pairs.n, shift, counts);
    Packed* const moved = to;
    to = from;
    from = moved;
  }
  unpack(pairs, from, stream);
}
