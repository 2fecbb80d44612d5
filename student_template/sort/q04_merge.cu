// What changes: each thread merges 8 numbers in sequence; one search finds where to start in both runs.
// What that cures: a search per number: now there is one per 8, the others cost one comparison each.
// What still hurts: neighbouring threads access memory 64 bytes apart; the number of doublings is the same.
// What to expect: about q02's time; faster if comparing costs more than reading.
#include "packed.h"

constexpr unsigned kThreads = 256;
constexpr std::size_t kEach = 8;  // numbers that each thread writes in one merge

// Each thread sorts 8 neighbouring numbers.
__global__ void sort_eights(Packed* packed, std::size_t n) {
  // TODO: use insertion sort or any other short algorithm. The last group may have fewer than 8.
  (void)packed, (void)n;  // delete this line: it only quiets the compiler
}

// Returns how many of the first `place` numbers of the merged run come from a.
__device__ std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b,
                                    std::size_t b_count, std::size_t place) {
  // TODO: do a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // b[place - x - 1] is below a[x].
  (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  return place;
}

// Merges each two neighbouring runs of `run` sorted numbers, a multiple of 8.
__global__ void merge(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // TODO: find both runs of this thread's 8 numbers and its start in each; then take 8 times the smaller
  // of the next two numbers. What if one of the runs is exhausted, or missing?
  (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
}

extern "C" void q04_merge(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: sort_eights, then merge growing runs, each from one half of the workspace to the other.
  (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kEach;  // delete this line, too
}
