#pragma once

#include <thrust/system/cuda/detail/merge.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// Predicate of set operations on sorted sequences `a` and `b`, which may contain duplicates. Of the values
// equal to a[i], number k in `a` has a partner if `b` contains more than k. Returns 1 for a[i] if it has a
// partner (wants_partner) or has none (not wants_partner), else 0.
template <bool wants_partner, typename A, typename B, typename Before>
struct KeepByPartner {
  A a;
  Index of_a;
  B b;
  Index of_b;
  mutable Before before;
  __device__ Index operator()(Index i) const {
    const Index place = i - lower_bound_of(a, of_a, a[i], before);
    const Index partners = upper_bound_of(b, of_b, a[i], before) - lower_bound_of(b, of_b, a[i], before);
    return (place < partners) == wants_partner ? 1 : 0;
  }
};
template <bool wants_partner, typename Derived, typename A, typename B, typename Out, typename Before>
Index keep_by_partner(execution_policy<Derived>& exec, A a, Index of_a, B b, Index of_b, Out out,
                      Before before) {
  if (of_a <= 0) return 0;
  return counted(exec, "an operation of sets", [&](Scratch& scratch, Index* place) {
    return warpmark_lib::select(scratch, a, out, place, of_a,
                                KeepByPartner<wants_partner, A, B, Before>{a, of_a, b, of_b, before}, false,
                                stream_of(exec));
  });
}

template <typename Derived, typename A, typename B, typename Out, typename Before>
Out set_intersection(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2, Out result,
                     Before before) {
  return result + keep_by_partner<true>(exec, plain(first1), index_distance(first1, last1), plain(first2),
                                        index_distance(first2, last2), plain(result), before);
}
template <typename Derived, typename A, typename B, typename Out, typename Before>
Out set_difference(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2, Out result,
                   Before before) {
  return result + keep_by_partner<false>(exec, plain(first1), index_distance(first1, last1), plain(first2),
                                         index_distance(first2, last2), plain(result), before);
}

// Implements thrust::set_symmetric_difference: merges those values of both sorted sequences that have no
// equal partner in the other one. With keeps_first, implements set_union: all values of the first sequence
// are merged.
template <bool keeps_first, typename Derived, typename A, typename B, typename Out, typename Before>
Out merge_rests(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2, Out result,
                Before before) {
  using Value = ValueOf<A>;
  const Index of_a = index_distance(first1, last1);
  const Index of_b = index_distance(first2, last2);
  if (of_a + of_b <= 0) return result;
  const auto a = plain(first1);
  const auto b = plain(first2);
  Buffer<Value> rest_of_a(of_a + 1);
  Buffer<Value> rest_of_b(of_b + 1);
  Index left_of_a = of_a;
  if constexpr (keeps_first)
    copy_n(exec, first1, of_a, rest_of_a.data());
  else
    left_of_a = keep_by_partner<false>(exec, a, of_a, b, of_b, rest_of_a.data(), before);
  const Index left_of_b = keep_by_partner<false>(exec, b, of_b, a, of_a, rest_of_b.data(), before);
  return detail::merge(exec, rest_of_a.data(), rest_of_a.data() + left_of_a, rest_of_b.data(),
                       rest_of_b.data() + left_of_b, result, before);
}
template <typename Derived, typename A, typename B, typename Out, typename Before>
Out set_union(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2, Out result,
              Before before) {
  return merge_rests<true>(exec, first1, last1, first2, last2, result, before);
}
template <typename Derived, typename A, typename B, typename Out, typename Before>
Out set_symmetric_difference(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2,
                             Out result, Before before) {
  return merge_rests<false>(exec, first1, last1, first2, last2, result, before);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
