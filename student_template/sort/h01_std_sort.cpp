// The sequential version that the others are measured against: the numbers of the pairs, sorted by the
// standard library. What still hurts: one core works, and the others wait.
#include <algorithm>

#include "packed_host.h"

extern "C" void h01_std_sort(Pairs pairs, Workspace work) {
  pack(pairs, work.data, 0, pairs.n);
  std::sort(work.data, work.data + pairs.n);
  unpack(pairs, work.data, 0, pairs.n);
}
