// What changes: quicksort; one thread sorts the lower part, another one the upper part.
// What that cures: after each partition twice as many cores have work.
// What still hurts: the first partition is one thread's, and it touches every number.
// What to expect: half of what the cores could do, less the more cores there are.
#include <algorithm>
#include <thread>
#include <utility>

#include "packed_host.h"

namespace {

constexpr std::size_t kFew = 32;             // numbers that insertion sort sorts faster
constexpr std::size_t kWorthAThread = 4096;  // to start a thread takes about as long as to sort so many

void insertion_sort(Packed* first, Packed* last) {
  // <solution> TODO: each number goes to its place among those before it.
  // <stub> (void)first, (void)last;  // delete this line: it only quiets the compiler
  for (Packed* next = first; next < last; ++next) {
    const Packed mine = *next;
    Packed* to = next;
    for (; to > first && to[-1] > mine; --to) *to = to[-1];
    *to = mine;
  }
  // </solution>
}

// Splits [first, last): what is below the returned place is less than what is there and above. Both parts
// have numbers: there are more than kFew, and no two are equal.
Packed* partition(Packed* first, Packed* last) {
  // <solution> TODO: the middle one of three numbers as pivot; two pointers that walk towards each other. Think of
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

// `threads`: how many may work on it.
void quicksort(Packed* first, Packed* last, unsigned threads) {
  // <solution> TODO: partition, then both parts: with threads left over the upper part in a std::thread of its own,
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
  // <solution> TODO: pack, quicksort with twice as many threads as there are cores (parts differ in size), unpack.
  // <stub> (void)pairs, (void)work, (void)quicksort;  // delete this line: it only quiets the compiler
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  pack(pairs, work.data, 0, pairs.n);
  quicksort(work.data, work.data + pairs.n, 2 * cores);
  unpack(pairs, work.data, 0, pairs.n);
  // </solution>
}
