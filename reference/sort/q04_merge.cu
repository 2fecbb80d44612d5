// What changes: each thread merges 8 numbers in sequence; one search finds where to start in both runs.
// What that cures: a search per number: now there is one per 8, the others cost one comparison each.
// What still hurts: neighbouring threads access memory 64 bytes apart; the number of doublings is the same.
// What to expect: about q02's time; faster if comparing costs more than reading.
#include "packed.h"

constexpr unsigned kThreads = 256;
constexpr std::size_t kEach = 8;  // numbers that each thread writes in one merge

// Each thread sorts 8 neighbouring numbers.
__global__ void sort_eights(Packed* packed, std::size_t n) {
  // <solution> TODO: use insertion sort or any other short algorithm. The last group may have fewer than 8.
  // <stub> (void)packed, (void)n;  // delete this line: it only quiets the compiler
  const std::size_t begin = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * kEach;
  const std::size_t end = begin + kEach < n ? begin + kEach : n;
  for (std::size_t i = begin + 1; i < end; ++i) {
    const Packed mine = packed[i];
    std::size_t to = i;
    for (; to > begin && packed[to - 1] > mine; --to) packed[to] = packed[to - 1];
    packed[to] = mine;
  }
  // </solution>
}

// Returns how many of the first `place` numbers of the merged run come from a.
__device__ std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b,
                                    std::size_t b_count, std::size_t place) {
  // <solution> TODO: do a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // <solution> b[place - x - 1] is below a[x].
  // <stub> (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  // <stub> return place;
  std::size_t low = place > b_count ? place - b_count : 0;
  std::size_t high = place < a_count ? place : a_count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (a[middle] < b[place - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
  // </solution>
}

// Merges each two neighbouring runs of `run` sorted numbers, a multiple of 8.
__global__ void merge(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // <solution> TODO: find both runs of this thread's 8 numbers and its start in each; then take 8 times the smaller
  // <solution> of the next two numbers. What if one of the runs is exhausted, or missing?
  // <stub> (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
  const std::size_t first = (std::size_t{blockIdx.x} * kThreads + threadIdx.x) * kEach;
  if (first >= n) return;
  const std::size_t begin = first / (2 * run) * (2 * run);
  const std::size_t middle = begin + run < n ? begin + run : n;
  const std::size_t end = begin + 2 * run < n ? begin + 2 * run : n;
  std::size_t a =
      begin + taken_from_a(from + begin, middle - begin, from + middle, end - middle, first - begin);
  std::size_t b = middle + (first - begin) - (a - begin);
  for (std::size_t i = first; i < first + kEach && i < end; ++i) {
    const bool from_a = b >= end || (a < middle && from[a] < from[b]);
    to[i] = from_a ? from[a++] : from[b++];
  }
  // </solution>
}

extern "C" void q04_merge(Pairs pairs, Workspace work, cudaStream_t stream) {
  // <solution> TODO: sort_eights, then merge growing runs, each from one half of the workspace to the other.
  // <stub> (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kEach;  // delete this line, too
  if (pairs.n == 0) return;
  Packed* from = work.data;
  Packed* to = work.data + pairs.n;
  pack(pairs, from, pairs.n, stream);
  const unsigned blocks = blocks_for((pairs.n + kEach - 1) / kEach, kThreads);
  sort_eights<<<blocks, kThreads, 0, stream>>>(from, pairs.n);
  for (std::size_t run = kEach; run < pairs.n; run *= 2) {
    merge<<<blocks, kThreads, 0, stream>>>(from, to, pairs.n, run);
    Packed* const merged = to;
    to = from;
    from = merged;
  }
  unpack(pairs, from, stream);
  // </solution>
}
