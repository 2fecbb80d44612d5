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
  // <solution> TODO: start count - 1 threads and do the last part on this one; join them all.
  // <stub> (void)count, (void)work;  // delete this line: it only quiets the compiler
  std::vector<std::thread> threads;
  for (unsigned i = 0; i + 1 < count; ++i) threads.emplace_back([&work, i] { work(i); });
  work(count - 1);
  for (std::thread& thread : threads) thread.join();
  // </solution>
}

// Returns where part i of `parts` starts among n numbers; the sizes of the parts differ by at most one.
std::size_t begin_of(std::size_t n, unsigned parts, unsigned i) {
  return n / parts * i + std::min<std::size_t>(n % parts, i);
}

// Returns how many of the first `place` numbers of the merged run come from a.
std::size_t taken_from_a(const Packed* a, std::size_t a_count, const Packed* b, std::size_t b_count,
                         std::size_t place) {
  // <solution> TODO: do a binary search: x come from a and place - x from b if a[x - 1] is below b[place - x] and
  // <solution> b[place - x - 1] is below a[x].
  // <stub> (void)a, (void)a_count, (void)b, (void)b_count;  // delete this line: it only quiets the compiler
  // <stub> return place;
  std::size_t low = place > b_count ? place - b_count : 0;
  std::size_t high = std::min(place, a_count);
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

}  // namespace

extern "C" void h03_merge_sort(Pairs pairs, Workspace work) {
  // <solution> TODO: use as many pieces as cores, rounded to a power of two; each thread packs and sorts its piece. Then
  // <solution> merge in rounds from one half of the workspace to the other; in each round a thread writes its share of
  // <solution> the numbers: taken_from_a gives the positions in both runs where its share starts and ends. Finally each
  // <solution> thread unpacks its piece.
  // <stub> (void)pairs, (void)work, (void)begin_of, (void)taken_from_a, (void)kWorthAThread;  // delete this line
  const std::size_t n = pairs.n;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  unsigned pieces = 1;
  while (pieces < cores && n / pieces > kWorthAThread) pieces *= 2;
  Packed* from = work.data;
  Packed* to = work.data + n;
  on_threads(pieces, [&](unsigned i) {
    const std::size_t begin = begin_of(n, pieces, i), end = begin_of(n, pieces, i + 1);
    pack(pairs, from, begin, end);
    std::sort(from + begin, from + end);
  });
  // Runs of `width` pieces each are sorted.
  for (unsigned width = 1; width < pieces; width *= 2) {
    on_threads(pieces, [&](unsigned i) {
      const unsigned first = i / (2 * width) * (2 * width);
      const std::size_t begin = begin_of(n, pieces, first);
      const std::size_t middle = begin_of(n, pieces, first + width);
      const std::size_t end = begin_of(n, pieces, first + 2 * width);
      const auto split = [&](std::size_t at) {
        return taken_from_a(from + begin, middle - begin, from + middle, end - middle, at - begin);
      };
      const std::size_t mine = begin_of(n, pieces, i), next = begin_of(n, pieces, i + 1);
      const std::size_t a = split(mine), a_end = split(next);
      const std::size_t b = mine - begin - a, b_end = next - begin - a_end;
      std::merge(from + begin + a, from + begin + a_end, from + middle + b, from + middle + b_end, to + mine);
    });
    std::swap(from, to);
  }
  on_threads(pieces,
             [&](unsigned i) { unpack(pairs, from, begin_of(n, pieces, i), begin_of(n, pieces, i + 1)); });
  // </solution>
}
