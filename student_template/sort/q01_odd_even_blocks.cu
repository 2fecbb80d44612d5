// What changes: nothing yet. Each block sorts 256 pairs by swapping neighbours; then runs are merged.
// What that cures: nothing yet; but each step is simple, and all blocks work at the same time.
// What still hurts: 256 steps with a barrier each for 256 pairs; a merge reads all pairs for every doubling.
// What to expect: the right order, and the baseline of every speedup.
//
// This version is given complete, as the worked example. The others have the same shape: kernels, and a
// launcher of the file's name that queues them.
#include "packed.h"

constexpr unsigned kThreads = 256;  // threads and pairs per block

// Sorts each run of 256 numbers by odd-even transposition: steps alternate between neighbouring pairs that
// start at an even index and those that start at an odd one. After 256 steps all numbers are sorted.
__global__ void odd_even(Packed* packed, std::size_t n) {
  __shared__ Packed shared[kThreads];
  const unsigned tid = threadIdx.x;
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + tid;
  shared[tid] = i < n ? packed[i] : kBehindAll;  // sorted to the end, which is not written back
  for (unsigned step = 0; step < kThreads; ++step) {
    __syncthreads();  // all swaps of the previous step are done
    if (tid % 2 == step % 2 && tid + 1 < kThreads && shared[tid] > shared[tid + 1]) {
      const Packed larger = shared[tid];
      shared[tid] = shared[tid + 1];
      shared[tid + 1] = larger;
    }
  }
  __syncthreads();
  if (i < n) packed[i] = shared[tid];
}

// Merges each two neighbouring runs of `run` sorted numbers. A number's index in the merged run is its index
// in its own run plus the count of smaller numbers in the other run.
__global__ void merge_by_rank(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  const std::size_t i = std::size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const std::size_t number = i / run;
  const std::size_t other = (number ^ 1) * run;  // start of the other run; may be past the end
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
}

extern "C" void q01_odd_even_blocks(Pairs pairs, Workspace work, cudaStream_t stream) {
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  pack(pairs, from, pairs.n, stream);
  const unsigned blocks = blocks_for(pairs.n, kThreads);
  odd_even<<<blocks, kThreads, 0, stream>>>(from, pairs.n);
  for (std::size_t run = kThreads; run < pairs.n; run *= 2) {
    merge_by_rank<<<blocks, kThreads, 0, stream>>>(from, to, pairs.n, run);
    Packed* const merged = to;  // the next merge reads what this one writes
    to = from;
    from = merged;
  }
  unpack(pairs, from, stream);
}
