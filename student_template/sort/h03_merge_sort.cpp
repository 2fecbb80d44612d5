// What changes: every thread sorts a piece of its own; then neighbouring pieces are merged, and a merge is
// split among threads, too. What that cures: all cores work from the first number to the last, packing and
// unpacking included. What still hurts: a merge reads and writes every number once for each doubling, and
// memory is one for all. What to expect: most of what the cores could do, until memory is at its limit.
#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "packed_host.h"

namespace {

constexpr std::size_t kWorthAThread = 4096;  // to start a thread takes about as long as to sort so many

// Calls work(0) ... work(count - 1), each on a thread of its own, and returns when all are done.
template <class Work>
void on_threads(unsigned count, const Work& work) {
  // TODO: count - 1 threads, the last part on this one; join them all.
  (void)count, (void)work;  // delete this line: it only quiets the compiler
}

// Where part i of `parts` begins among n numbers; parts are as large as each other, to one number.
std::size_t begin_of(std::size_t n, unsigned parts, unsigned i) {
  return n / parts * i + std::min<std::size_t>(n % parts, i);
}

// Of the first `place` numbers of the merged run so many come from a.
std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b, std::size_t b_count,
                         std::size_t place) {
  // TODO: a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // b[place - x - 1] is below a[x].
  (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  return place;
}

}  // namespace

extern "C" void h03_merge_sort(Pairs pairs, Workspace work) {
  // TODO: as many pieces as cores, a power of two of them; each thread packs and sorts its piece. Then
  // rounds of merges from one half of the room to the other, in which each thread writes its share of
  // the numbers: taken_from_a tells it where both runs stand at its share's begin and end. At last each
  // thread unpacks its piece.
  (void)pairs, (void)work, (void)begin_of, (void)taken_from_a, (void)kWorthAThread;  // delete this line
}
