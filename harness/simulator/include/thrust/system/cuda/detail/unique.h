// Thrust's unique: keeps one value of each run of equal values. Replaces Thrust's generic version, which
// reads before the first value.
#pragma once

#include <thrust/system/cuda/detail/copy_if.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// Thrust's unique: copies those elements of `in` whose key differs from the preceding element's key, and
// returns the number of copied elements.
template <typename Derived, typename Keys, typename Input, typename Output, typename KeysEqual>
Index copy_heads(execution_policy<Derived>& exec, Keys keys, Input in, Output out, Index count,
                 KeysEqual equal, bool in_place) {
  return counted(exec, "unique", [&](Scratch& scratch, Index* place) {
    return warpmark_lib::select(scratch, in, out, place, count,
                                warpmark_lib::KeepHeads<Keys, KeysEqual>{keys, equal}, in_place,
                                stream_of(exec));
  });
}

template <typename Derived, typename Input, typename Output, typename KeysEqual>
Output unique_copy(execution_policy<Derived>& exec, Input first, Input last, Output result, KeysEqual equal) {
  const Index count = index_distance(first, last);
  if (count <= 0) return result;
  return result + copy_heads(exec, plain(first), plain(first), plain(result), count, equal, false);
}
template <typename Derived, typename Values, typename KeysEqual>
Values unique(execution_policy<Derived>& exec, Values first, Values last, KeysEqual equal) {
  const Index count = index_distance(first, last);
  if (count <= 0) return first;
  return first + copy_heads(exec, plain(first), plain(first), plain(first), count, equal, true);
}
template <typename Derived, typename Keys, typename Values, typename KeysOut, typename ValuesOut,
          typename KeysEqual>
thrust::pair<KeysOut, ValuesOut> unique_by_key_copy(execution_policy<Derived>& exec, Keys first, Keys last,
                                                    Values values, KeysOut keys_result,
                                                    ValuesOut values_result, KeysEqual equal) {
  const Index count = index_distance(first, last);
  if (count <= 0) return {keys_result, values_result};
  const Index runs = copy_heads(exec, plain(first), plain(values), plain(values_result), count, equal, false);
  copy_heads(exec, plain(first), plain(first), plain(keys_result), count, equal, false);
  return {keys_result + runs, values_result + runs};
}
template <typename Derived, typename Keys, typename Values, typename KeysEqual>
thrust::pair<Keys, Values> unique_by_key(execution_policy<Derived>& exec, Keys first, Keys last,
                                         Values values, KeysEqual equal) {
  const Index count = index_distance(first, last);
  if (count <= 0) return {first, values};
  const Index runs = copy_heads(exec, plain(first), plain(values), plain(values), count, equal, true);
  copy_heads(exec, plain(first), plain(first), plain(first), count, equal, true);
  return {first + runs, values + runs};
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
