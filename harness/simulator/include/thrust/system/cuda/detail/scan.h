#pragma once

#include <thrust/system/cuda/detail/device.h>

#include "warpmark_cuda/algorithms/scan.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Derived, typename Input, typename Output, typename Operation>
Output inclusive_scan(execution_policy<Derived>& exec, Input first, Input last, Output result,
                      Operation operation) {
  using T = ValueOf<Input>;
  const Index count = index_distance(first, last);
  if (count <= 0) return result;
  const auto in = plain(first);
  const auto out = plain(result);
  with_memory(exec, "inclusive_scan", [&](Scratch& scratch) {
    return warpmark_lib::inclusive_scan<T>(scratch, in, out, count, operation, stream_of(exec));
  });
  return result + count;
}
template <typename Derived, typename Input, typename Output, typename T, typename Operation>
Output exclusive_scan(execution_policy<Derived>& exec, Input first, Input last, Output result, T initial,
                      Operation operation) {
  const Index count = index_distance(first, last);
  if (count <= 0) return result;
  const auto in = plain(first);
  const auto out = plain(result);
  with_memory(exec, "exclusive_scan", [&](Scratch& scratch) {
    return warpmark_lib::exclusive_scan<T>(scratch, in, out, count, operation, initial, stream_of(exec));
  });
  return result + count;
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
