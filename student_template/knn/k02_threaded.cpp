// What changes: the queries are divided among as many threads as there are cores.
// What that cures: cores that wait: no query needs anything of another one.
// What still hurts: each core reads all rows from memory again for every query that it classifies.
// What to expect: nearly as many times the speed of k01 as there are cores.
#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "classify.h"

extern "C" void k02_threaded(Classification task) {
  // TODO: how many threads, and which queries for each, so that none is left out and none done twice?
  // TODO: the answers have to be there when this function returns.
  (void)task;  // delete this line, too
}
