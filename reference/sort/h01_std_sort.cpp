// The sequential baseline for the others: std::sort of the packed pairs. What still hurts: one core
// works, the others are idle.
#include <algorithm>

#include "packed_host.h"

extern "C" void h01_std_sort(Pairs pairs, Workspace work) {
  pack(pairs, work.data, 0, pairs.n);
  std::sort(work.data, work.data + pairs.n);
  unpack(pairs, work.data, 0, pairs.n);
}
