// What changes: a block sorts 1024 pairs with a bitonic network of 55 steps.
// What that cures: the 256 steps of q01, and two of the merges: runs start four times as long.
// What still hurts: the merges: each doubling reads all pairs, with a binary search per number.
// What to expect: faster than q01; the gain shrinks with the number of merges.
#include "packed.h"

constexpr unsigned kThreads = 512;
constexpr unsigned kChunk = 2 * kThreads;  // pairs per block: each thread compares two

// Sorts each run of 1024 numbers.
__global__ void bitonic(Packed* packed, std::size_t n) {
  // <solution> TODO: load 1024 numbers into shared memory; what do elements past n hold?
  // <solution> TODO: for size = 2, 4, ..., 1024 and distance = size/2, size/4, ..., 1: each thread puts two
  // <solution> numbers in order that are `distance` apart. Which two, and when is the order descending?
  // <solution> TODO: where must all threads of the block synchronise?
  // <stub> (void)packed, (void)n, (void)kChunk;  // delete this line: it only quiets the compiler
  __shared__ Packed shared[kChunk];
  const std::size_t first = std::size_t{blockIdx.x} * kChunk;
  for (unsigned k = threadIdx.x; k < kChunk; k += kThreads) {
    shared[k] = first + k < n ? packed[first + k] : kBehindAll;
  }
  for (unsigned size = 2; size <= kChunk; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      // The thread's index with a 0 inserted at the bit of the distance: the lower index of the two.
      const unsigned low = 2 * threadIdx.x - threadIdx.x % distance;
      const unsigned high = low + distance;
      const bool rising = (low & size) == 0;  // descending runs make the next size bitonic
      if ((shared[low] > shared[high]) == rising) {
        const Packed other = shared[low];
        shared[low] = shared[high];
        shared[high] = other;
      }
    }
  }
  __syncthreads();
  for (unsigned k = threadIdx.x; k < kChunk; k += kThreads) {
    if (first + k < n) packed[first + k] = shared[k];
  }
  // </solution>
}

// Merges each two neighbouring runs of `run` sorted numbers.
__global__ void merge_by_rank(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // <solution> TODO: as in q01.
  // <stub> (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const std::size_t number = i / run;
  const std::size_t other = (number ^ 1) * run;
  std::size_t low = other < n ? other : n;
  const std::size_t begin = low;
  std::size_t high = other + run < n ? other + run : n;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (from[middle] < from[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  to[number / 2 * 2 * run + (i - number * run) + (low - begin)] = from[i];
  // </solution>
}

extern "C" void q02_bitonic_blocks(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: as in q01, but the runs start longer.
  // <stub> (void)pairs, (void)work, (void)stream, (void)kThreads;  // delete this line, too
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  pack(pairs, from, pairs.n, stream);
  bitonic<<<blocks_for(pairs.n, kChunk), kThreads, 0, stream>>>(from, pairs.n);
  for (std::size_t run = kChunk; run < pairs.n; run *= 2) {
    merge_by_rank<<<blocks_for(pairs.n, kThreads), kThreads, 0, stream>>>(from, to, pairs.n, run);
    Packed* const merged = to;
    to = from;
    from = merged;
  }
  unpack(pairs, from, stream);
  // </solution>
}
