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
  // TODO: move each number to its place among those before it.
  (void)first, (void)last;  // delete this line: it only quiets the compiler
}

// Partitions [first, last): all numbers before the returned pointer are less than the others. Neither part is
// empty: there are more than kFew numbers, and no two are equal.
Packed* partition(Packed* first, Packed* last) {
  // TODO: use the median of three numbers as pivot; move two pointers towards each other. Think of
  // sorted arrays: with the first number as pivot they take n^2 steps.
  (void)last;  // delete this line: it only quiets the compiler
  return first;
}

// threads: how many threads may work on the range.
void quicksort(Packed* first, Packed* last, unsigned threads) {
  // TODO: partition, then sort both parts: if threads are left, sort the upper part in its own std::thread,
  // joined before you return.
  (void)first, (void)last, (void)threads;  // delete this line: it only quiets the compiler
  (void)insertion_sort, (void)partition, (void)kFew, (void)kWorthAThread;  // and this one
}

}  // namespace

extern "C" void h02_quicksort(Pairs pairs, Workspace work) {
  // TODO: pack, quicksort with twice as many threads as cores (the parts differ in size), unpack.
  (void)pairs, (void)work, (void)quicksort;  // delete this line: it only quiets the compiler
}
