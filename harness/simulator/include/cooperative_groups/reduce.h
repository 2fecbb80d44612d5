// cg::reduce over a tile or coalesced threads: every thread gets the result.
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

// A tree over the ranks, in any number; then the first thread tells the others.
template <typename Group, typename T, typename Operator>
WARPMARK_CG inline T reduce(const Group& group, T value, Operator&& combine) {
  const coalesced_group lanes(group.__warpmark_mask());
  const unsigned int count = lanes.size();
  const unsigned int rank = lanes.thread_rank();
  for (unsigned int step = 1; step < count; step *= 2) {
    const T other = lanes.shfl_down(value, step);
    if (rank % (2 * step) == 0 && rank + step < count) value = combine(value, other);
  }
  return lanes.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif
