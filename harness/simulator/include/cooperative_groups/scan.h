// Implements cg::inclusive_scan and cg::exclusive_scan over a tile or coalesced group.
#pragma once

#include "cooperative_groups/reduce.h"

#if defined(__CUDA__)

namespace cooperative_groups {

template <typename Group, typename T, typename Operator>
WARPMARK_CG inline T inclusive_scan(const Group& group, T value, Operator&& combine) {
  const coalesced_group lanes(group.__warpmark_mask());
  const unsigned int rank = lanes.thread_rank();
  for (unsigned int step = 1; step < lanes.size(); step *= 2) {
    const T before = lanes.shfl_up(value, step);
    if (rank >= step) value = combine(before, value);
  }
  return value;
}
template <typename Group, typename T>
WARPMARK_CG inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
// Exclusive scan without an initial value: the first thread of the group gets T().
template <typename Group, typename T, typename Operator>
WARPMARK_CG inline T exclusive_scan(const Group& group, T value, Operator&& combine) {
  const coalesced_group lanes(group.__warpmark_mask());
  const T before = lanes.shfl_up(inclusive_scan(group, value, combine), 1);
  return lanes.thread_rank() == 0 ? T() : before;
}
template <typename Group, typename T>
WARPMARK_CG inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
