// What changes: the queries are divided among as many threads as there are cores.
// What that cures: idle cores: queries are independent of each other.
// What still hurts: each core reads all rows from memory again for every query.
// What to expect: the speed of k01 times nearly the number of cores.
#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "classify.h"

extern "C" void k02_threaded(Classification task) {
  // TODO: how many threads, and which queries for each, so that every query is classified exactly once?
  // TODO: all answers must be written when this function returns.
  (void)task;  // delete this line, too
}
