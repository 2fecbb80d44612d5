// Thrust's merging and set operations on sorted sequences.
#pragma once

#include <thrust/pair.h>
#include <thrust/system/cuda/detail/copy.h>
#include <thrust/system/cuda/detail/copy_if.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Sequence, typename T, typename Before>
__device__ Index lower_bound_of(const Sequence& values, Index count, const T& value, Before& before) {
  Index low = 0;
  for (Index high = count; low < high;) {
    const Index middle = low + (high - low) / 2;
    if (before(values[middle], value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
template <typename Sequence, typename T, typename Before>
__device__ Index upper_bound_of(const Sequence& values, Index count, const T& value, Before& before) {
  Index low = 0;
  for (Index high = count; low < high;) {
    const Index middle = low + (high - low) / 2;
    if (before(value, values[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Merges two sorted sequences: a thread per value finds the value's output position by binary search. Of
// equal values, those of the first sequence come first.
struct Nothing {};
template <typename A, typename B, typename ValuesA, typename ValuesB, typename Out, typename ValuesOut,
          typename Before>
struct MergeEach {
  A a;
  Index of_a;
  B b;
  Index of_b;
  ValuesA values_a;
  ValuesB values_b;
  Out out;
  ValuesOut values_out;
  Before before;
  __device__ void operator()(Index i) {
    constexpr bool kHasValues = !std::is_same_v<ValuesOut, Nothing>;
    if (i < of_a) {
      const Index place = i + lower_bound_of(b, of_b, a[i], before);
      out[place] = a[i];
      if constexpr (kHasValues) values_out[place] = values_a[i];
    } else {
      const Index j = i - of_a;
      const Index place = j + upper_bound_of(a, of_a, b[j], before);
      out[place] = b[j];
      if constexpr (kHasValues) values_out[place] = values_b[j];
    }
  }
};
template <typename Derived, typename A, typename B, typename ValuesA, typename ValuesB, typename Out,
          typename ValuesOut, typename Before>
void merge_all(execution_policy<Derived>& exec, A a, Index of_a, B b, Index of_b, ValuesA values_a,
               ValuesB values_b, Out out, ValuesOut values_out, Before before) {
  finish(exec,
         warpmark_lib::for_each_index(of_a + of_b, stream_of(exec),
                                      MergeEach<A, B, ValuesA, ValuesB, Out, ValuesOut, Before>{
                                          a, of_a, b, of_b, values_a, values_b, out, values_out, before}),
         "merge");
}
template <typename Derived, typename A, typename B, typename Out, typename Before>
Out merge(execution_policy<Derived>& exec, A first1, A last1, B first2, B last2, Out result, Before before) {
  const Index of_a = index_distance(first1, last1);
  const Index of_b = index_distance(first2, last2);
  if (of_a + of_b <= 0) return result;
  merge_all(exec, plain(first1), of_a, plain(first2), of_b, Nothing(), Nothing(), plain(result), Nothing(),
            before);
  return result + (of_a + of_b);
}
template <typename Derived, typename A, typename B, typename ValuesA, typename ValuesB, typename Out,
          typename ValuesOut, typename Before>
thrust::pair<Out, ValuesOut> merge_by_key(execution_policy<Derived>& exec, A first1, A last1, B first2,
                                          B last2, ValuesA values1, ValuesB values2, Out keys_result,
                                          ValuesOut values_result, Before before) {
  const Index of_a = index_distance(first1, last1);
  const Index of_b = index_distance(first2, last2);
  if (of_a + of_b <= 0) return {keys_result, values_result};
  merge_all(exec, plain(first1), of_a, plain(first2), of_b, plain(values1), plain(values2),
            plain(keys_result), plain(values_result), before);
  return {keys_result + (of_a + of_b), values_result + (of_a + of_b)};
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
