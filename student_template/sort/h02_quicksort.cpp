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
  // TODO: each number goes to its place among those before it.
  (void)first, (void)last;  // delete this line: it only quiets the compiler
}

// Splits [first, last): what is below the returned place is less than what is there and above. Both parts
// have numbers: there are more than kFew, and no two are equal.
Packed* partition(Packed* first, Packed* last) {
  // TODO: the middle one of three numbers as pivot; two pointers that walk towards each other. Think of
  // sorted arrays: with the first number as pivot they take n^2 steps.
  (void)last;  // delete this line: it only quiets the compiler
  return first;
}

// `threads`: how many may work on it.
void quicksort(Packed* first, Packed* last, unsigned threads) {
  // TODO: partition, then both parts: with threads left over the upper part in a std::thread of its own,
  // joined before you return.
  (void)first, (void)last, (void)threads;  // delete this line: it only quiets the compiler
  (void)insertion_sort, (void)partition, (void)kFew, (void)kWorthAThread;  // and this one
}

}  // namespace

extern "C" void h02_quicksort(Pairs pairs, Workspace work) {
  // TODO: pack, quicksort with twice as many threads as there are cores (parts differ in size), unpack.
  (void)pairs, (void)work, (void)quicksort;  // delete this line: it only quiets the compiler
}
