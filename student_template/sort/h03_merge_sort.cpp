// What changes: every thread sorts its own piece; then neighbouring pieces are merged, and each merge is
// split among threads, too. What that cures: all cores work from the first number to the last, packing and
// unpacking included. What still hurts: each doubling reads and writes every number once, and all
// cores share the memory. What to expect: most of the ideal speedup, until memory bandwidth is the limit.
#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "packed_host.h"

namespace {

constexpr std::size_t kWorthAThread = 4096;  // starting a thread costs about as much as sorting this many

// Calls work(0) ... work(count - 1), each on its own thread, and returns when all are done.
template <class Work>
void on_threads(unsigned count, const Work& work) {
  // TODO: start count - 1 threads and do the last part on this one; join them all.
  (void)count, (void)work;  // delete this line: it only quiets the compiler
}

// Returns where part i of `parts` starts among n numbers; the sizes of the parts differ by at most one.
std::size_t begin_of(std::size_t n, unsigned parts, unsigned i) {
  return n / parts * i + std::min<std::size_t>(n % parts, i);
}

// Returns how many of the first `place` numbers of the merged run come from a.
std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b, std::size_t b_count,
                         std::size_t place) {
  // TODO: do a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // b[place - x - 1] is below a[x].
  (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  return place;
}

}  // namespace

extern "C" void h03_merge_sort(Pairs pairs, Workspace work) {
  // TODO: use as many pieces as cores, rounded to a power of two; each thread packs and sorts its piece. Then
  // merge in rounds from one half of the workspace to the other; in each round a thread writes its share of
  // the numbers: taken_from_a gives the positions in both runs where its share starts and ends. Finally each
  // thread unpacks its piece.
  (void)pairs, (void)work, (void)begin_of, (void)taken_from_a, (void)kWorthAThread;  // delete this line
}
