// Implements cg::reduce over a tile or coalesced group: every thread gets the result.
#pragma once

#include "cooperative_groups.h"

#if defined(__CUDA__)

namespace cooperative_groups {

#define WARPMARK_OPERATOR(name, expression)                                       \
  template <typename T = void>                                                    \
  struct name {                                                                   \
    WARPMARK_CG T operator()(const T& a, const T& b) const { return expression; } \
  };                                                                              \
  template <>                                                                     \
  struct name<void> {                                                             \
    template <typename T>                                                         \
    WARPMARK_CG T operator()(const T& a, const T& b) const {                      \
      return expression;                                                          \
    }                                                                             \
  };
WARPMARK_OPERATOR(plus, a + b)
WARPMARK_OPERATOR(less, b < a ? b : a)
WARPMARK_OPERATOR(greater, a < b ? b : a)
WARPMARK_OPERATOR(bit_and, a& b)
WARPMARK_OPERATOR(bit_or, a | b)
WARPMARK_OPERATOR(bit_xor, a ^ b)
#undef WARPMARK_OPERATOR

namespace details {

struct OfLanes {};
struct OfWarps {};

// Reduces the values of a group's threads by a tree of shuffles, for any group size. All threads get the
// result.
template <typename T, typename Operator>
WARPMARK_CG inline T reduce_lanes(const coalesced_group& lanes, T value, Operator&& combine) {
  const unsigned int count = lanes.size();
  const unsigned int rank = lanes.thread_rank();
  for (unsigned int step = 1; step < count; step *= 2) {
    const T other = lanes.shfl_down(value, step);
    if (rank % (2 * step) == 0 && rank + step < count) value = combine(value, other);
  }
  return lanes.shfl(value, 0);
}
template <typename Group, typename T, typename Operator>
WARPMARK_CG inline T reduce(const Group& group, T value, Operator&& combine, OfLanes) {
  return reduce_lanes(coalesced_group(group.__warpmark_mask()), value, combine);
}
// cg::reduce over a tile of several warps: reduces within each warp, then over the warps' results.
template <unsigned int Size, typename T, typename Operator>
WARPMARK_CG inline T reduce(const tile_of_warps<Size>& tile, T value, Operator&& combine, OfWarps) {
  value = reduce_lanes(coalesced_group(0xffffffffu), value, combine);
  T all = tile.shfl(value, 0);
  for (unsigned int warp = 1; warp < Size / 32; ++warp)
    all = combine(all, tile.shfl(value, (int)(32 * warp)));
  return all;
}
template <unsigned int Size>
WARPMARK_CG inline OfWarps form_of(const tile_of_warps<Size>&);
template <unsigned int Size>
WARPMARK_CG inline OfLanes form_of(const tile_of_lanes<Size>&);
WARPMARK_CG inline OfLanes form_of(const coalesced_group&);

}  // namespace details

template <typename Group, typename T, typename Operator>
WARPMARK_CG inline T reduce(const Group& group, T value, Operator&& combine) {
  return details::reduce(group, value, combine, decltype(details::form_of(group)){});
}

// Implements cg::reduce_store_async: reduces over the group, then one thread stores the result in memory. All
// threads of the group must call it.
template <typename Group, typename T, typename Target, typename Operator>
WARPMARK_CG inline void reduce_store_async(const Group& group, T* to, Target&& value, Operator&& combine) {
  const T all = reduce(group, (T)value, combine);
  if (group.thread_rank() == 0) *to = all;
}

}  // namespace cooperative_groups

#endif
