// What changes: a thread merges 8 numbers one after the other; one search tells it where both runs stand.
// What that cures: a search a number: now it is one for 8, the others cost a comparison each.
// What still hurts: neighbouring threads read and write 64 bytes apart; and all doublings are still there.
// What to expect: about q02; more where comparing costs more than reading.
#include "packed.h"

constexpr unsigned kThreads = 256;
constexpr std::size_t kEach = 8;  // numbers that a thread writes in one merge

// Each thread sorts 8 neighbouring numbers.
__global__ void sort_eights(Packed* packed, std::size_t n) {
  // TODO: insertion sort, or any other that is short. The last eight may be fewer.
  (void)packed, (void)n;  // delete this line: it only quiets the compiler
}

// Of the first `place` numbers of the merged run so many come from a.
__device__ std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b,
                                    std::size_t b_count, std::size_t place) {
  // TODO: a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // b[place - x - 1] is below a[x].
  (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  return place;
}

// Merges each two neighbouring runs of `run` sorted numbers, a multiple of 8.
__global__ void merge(const Packed* from, Packed* to, std::size_t n, std::size_t run) {
  // TODO: both runs of this thread's 8 numbers; where it begins in each; then 8 times the smaller
  // one of the two that are next. What if one of the runs is at its end, or missing?
  (void)from, (void)to, (void)n, (void)run;  // delete this line: it only quiets the compiler
}

extern "C" void q04_merge(Pairs pairs, Workspace work, cudaStream_t stream) {
  // TODO: sort_eights, then merges of growing runs, each from one half of the room to the other.
  (void)pairs, (void)work, (void)stream, (void)kThreads, (void)kEach;  // delete this line, too
}
