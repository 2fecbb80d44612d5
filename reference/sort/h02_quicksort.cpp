// What changes: quicksort; one thread sorts the lower part, another the upper part.
// What that cures: idle cores: each partition doubles the number of busy ones.
// What still hurts: one thread does the first partition, and it reads every number.
// What to expect: half of the ideal speedup, less the more cores there are.
#include <algorithm>
#include <thread>
#include <utility>

#include "packed_host.h"

namespace {

constexpr std::size_t kFew = 32;             // insertion sort is faster up to this many numbers
constexpr std::size_t kWorthAThread = 4096;  // starting a thread costs about as much as sorting this many

void insertion_sort(Packed* first, Packed* last) {
  // <solution> TODO: move each number to its place among those before it.
  // <stub> (void)first, (void)last;  // delete this line: it only quiets the compiler
  for (Packed* next = first; next < last; ++next) {
    const Packed mine = *next;
    Packed* to = next;
    for (; to > first && to[-1] > mine; --to) *to = to[-1];
    *to = mine;
  }
  // </solution>
}

// Partitions [first, last): all numbers before the returned pointer are less than the others. Neither part is
// empty: there are more than kFew numbers, and no two are equal.
Packed* partition(Packed* first, Packed* last) {
  // <solution> TODO: use the median of three numbers as pivot; move two pointers towards each other. Think of
  // <solution> sorted arrays: with the first number as pivot they take n^2 steps.
  // <stub> (void)last;  // delete this line: it only quiets the compiler
  // <stub> return first;
  const Packed a = *first, b = first[(last - first) / 2], c = last[-1];
  const Packed pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
  Packed* low = first;
  Packed* high = last - 1;
  for (;;) {
    while (*low < pivot) ++low;
    while (pivot < *high) --high;
    if (low >= high) return low;
    std::swap(*low++, *high--);
  }
  // </solution>
}

// threads: how many threads may work on the range.
void quicksort(Packed* first, Packed* last, unsigned threads) {
  // <solution> TODO: partition, then sort both parts: if threads are left, sort the upper part in its own std::thread,
  // <solution> joined before you return.
  // <stub> (void)first, (void)last, (void)threads;  // delete this line: it only quiets the compiler
  // <stub> (void)insertion_sort, (void)partition, (void)kFew, (void)kWorthAThread;  // and this one
  while (last - first > static_cast<std::ptrdiff_t>(kFew)) {
    Packed* const middle = partition(first, last);
    if (threads > 1 && last - first > static_cast<std::ptrdiff_t>(kWorthAThread)) {
      std::thread upper(quicksort, middle, last, threads / 2);
      quicksort(first, middle, threads - threads / 2);
      upper.join();
      return;
    }
    quicksort(first, middle, 1);
    first = middle;
  }
  insertion_sort(first, last);
  // </solution>
}

}  // namespace

extern "C" void h02_quicksort(Pairs pairs, Workspace work) {
  // <solution> TODO: pack, quicksort with twice as many threads as cores (the parts differ in size), unpack.
  // <stub> (void)pairs, (void)work, (void)quicksort;  // delete this line: it only quiets the compiler
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  pack(pairs, work.data, 0, pairs.n);
  quicksort(work.data, work.data + pairs.n, 2 * cores);
  unpack(pairs, work.data, 0, pairs.n);
  // </solution>
}
