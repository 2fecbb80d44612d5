#pragma once

#include <thrust/detail/raw_reference_cast.h>
#include <thrust/system/cuda/detail/device.h>

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Input, typename Output, typename Function>
struct Transform {
  Input input;
  Output output;
  Function function;
  __device__ void operator()(Index i) {
    auto&& value = input[i];
    output[i] = function(thrust::raw_reference_cast(value));
  }
};
template <typename Input1, typename Input2, typename Output, typename Function>
struct Combine {
  Input1 input1;
  Input2 input2;
  Output output;
  Function function;
  __device__ void operator()(Index i) {
    auto&& a = input1[i];
    auto&& b = input2[i];
    output[i] = function(thrust::raw_reference_cast(a), thrust::raw_reference_cast(b));
  }
};
template <typename Derived, typename Input, typename Output, typename Function>
Output transform(execution_policy<Derived>& exec, Input first, Input last, Output result, Function function) {
  const Index count = index_distance(first, last);
  if (count <= 0) return result;
  const auto in = plain(first);
  const auto out = plain(result);
  using Work = Transform<std::decay_t<decltype(in)>, std::decay_t<decltype(out)>, Function>;
  finish(exec, warpmark_lib::for_each_index(count, stream_of(exec), Work{in, out, function}), "transform");
  return result + count;
}
template <typename Derived, typename Input1, typename Input2, typename Output, typename Function>
Output transform(execution_policy<Derived>& exec, Input1 first1, Input1 last1, Input2 first2, Output result,
                 Function function) {
  const Index count = index_distance(first1, last1);
  if (count <= 0) return result;
  const auto a = plain(first1);
  const auto b = plain(first2);
  const auto out = plain(result);
  using Work =
      Combine<std::decay_t<decltype(a)>, std::decay_t<decltype(b)>, std::decay_t<decltype(out)>, Function>;
  finish(exec, warpmark_lib::for_each_index(count, stream_of(exec), Work{a, b, out, function}), "transform");
  return result + count;
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
