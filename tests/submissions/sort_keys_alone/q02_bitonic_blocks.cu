#include "packed.h"

constexpr unsigned kThreads = 256;
constexpr unsigned kChunk = 2 * kThreads;

__global__ void bitonic(Packed* packed, std::size_t n) {
  __shared__ Packed shared[kChunk];
  const std::size_t first = std::size_t{blockIdx.x} * kChunk;
  for (unsigned k = threadIdx.x; k < kChunk; k += kThreads) {
    shared[k] = first + k < n ? packed[first + k] : kBehindAll;
  }
  for (unsigned size = 2; size <= kChunk; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned low = 2 * threadIdx.x - threadIdx.x % distance;
      const unsigned high = low + distance;
      if ((shared[low] > shared[high]) == ((low & size) == 0)) {
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
}

__global__ void merge_by_rank(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const std::size_t number = i / run;
  const std::size_t other = (number ^ 1) * run;
  std::size_t low = other < n ? other : n;
  const std::size_t begin = low;
  std::size_t high = other + run < n ? other + run : n;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (from[middle] < from[i]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  to[number / 2 * 2 * run + (i - number * run) + (low - begin)] = from[i];
}

__global__ void keys_only(Pairs pairs, const Packed* sorted) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= pairs.n) return;
  pairs.sorted_keys[i] = pairs.keys[static_cast<unsigned>(sorted[i])];
  if (pairs.values != nullptr) pairs.sorted_values[i] = pairs.values[i];  // here
}

extern "C" void q02_bitonic_blocks(Pairs pairs, Workspace work, cudaStream_t stream) {
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
  keys_only<<<blocks_for(pairs.n, kThreads), kThreads, 0, stream>>>(pairs, from);
}
