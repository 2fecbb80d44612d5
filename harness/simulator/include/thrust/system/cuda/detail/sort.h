#pragma once

#include <thrust/system/cuda/detail/copy.h>

#include "warpmark_cuda/algorithms/sort.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// Functor of Thrust's sort that copies the sorted keys and values from temporary memory back to the user's
// sequence.
template <typename Iterator, typename Value>
struct PutBack {
  const Value* from;
  Iterator to;
  __device__ void operator()(Index i) { to[i] = from[i]; }
};
template <typename Iterator, typename Value>
cudaError_t put_back(const Value* from, Iterator to, Index count, cudaStream_t stream) {
  return warpmark_lib::for_each_index(count, stream, PutBack<Iterator, Value>{from, to});
}

template <typename Derived, typename Keys, typename Before>
void stable_sort(execution_policy<Derived>& exec, Keys first, Keys last, Before before) {
  using Key = ValueOf<Keys>;
  const Index count = index_distance(first, last);
  if (count <= 1) return;
  const auto keys = plain(first);
  warpmark_lib::NoValues* none = nullptr;
  with_memory(exec, "sort", [&](Scratch& scratch) {
    const warpmark_lib::Rows<Key, warpmark_lib::NoValues> sorted{scratch.template take<Key>(count), none};
    const cudaError_t error = warpmark_lib::sort(
        scratch, warpmark_lib::Sources<std::decay_t<decltype(keys)>, warpmark_lib::NoValues*>{keys, none},
        sorted, count, before, stream_of(exec));
    if (error != cudaSuccess || scratch.measures()) return error;
    return put_back(sorted.keys, keys, count, stream_of(exec));
  });
}
template <typename Derived, typename Keys, typename Values, typename Before>
void stable_sort_by_key(execution_policy<Derived>& exec, Keys first, Keys last, Values values_first,
                        Before before) {
  using Key = ValueOf<Keys>;
  using Value = ValueOf<Values>;
  const Index count = index_distance(first, last);
  if (count <= 1) return;
  const auto keys = plain(first);
  const auto values = plain(values_first);
  with_memory(exec, "sort_by_key", [&](Scratch& scratch) {
    warpmark_lib::Rows<Key, Value> sorted{scratch.template take<Key>(count), nullptr};
    sorted.values = scratch.template take<Value>(count);
    cudaError_t error = warpmark_lib::sort(
        scratch,
        warpmark_lib::Sources<std::decay_t<decltype(keys)>, std::decay_t<decltype(values)>>{keys, values},
        sorted, count, before, stream_of(exec));
    if (error != cudaSuccess || scratch.measures()) return error;
    error = put_back(sorted.keys, keys, count, stream_of(exec));
    if (error != cudaSuccess) return error;
    return put_back(sorted.values, values, count, stream_of(exec));
  });
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
