#pragma once

#include <thrust/detail/raw_reference_cast.h>
#include <thrust/system/cuda/detail/device.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Iterator, typename Function>
struct Visit {
  Iterator first;
  Function function;
  __device__ void operator()(Index i) {
    auto&& value = first[i];
    function(thrust::raw_reference_cast(value));
  }
};
template <typename Derived, typename Iterator, typename Size, typename Function>
Iterator for_each_n(execution_policy<Derived>& exec, Iterator first, Size count, Function function) {
  if (count <= 0) return first;
  const auto begin = plain(first);
  finish(exec,
         warpmark_lib::for_each_index(static_cast<Index>(count), stream_of(exec),
                                      Visit<std::decay_t<decltype(begin)>, Function>{begin, function}),
         "for_each");
  return first + count;
}
template <typename Derived, typename Iterator, typename Function>
Iterator for_each(execution_policy<Derived>& exec, Iterator first, Iterator last, Function function) {
  return for_each_n(exec, first, index_distance(first, last), function);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
