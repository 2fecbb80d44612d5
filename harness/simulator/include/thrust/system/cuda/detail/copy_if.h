// Stream compaction for Thrust: by a predicate, and of one value per run of equal keys.
#pragma once

#include <thrust/pair.h>
#include <thrust/system/cuda/detail/device.h>

#include "warpmark_cuda/algorithms/select.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

// Runs a Thrust algorithm whose number of results is known only on the device: calls algorithm(scratch,
// count), which stores that number at `count` in device memory, and returns the number to the host.
template <typename Derived, typename Algorithm>
Index counted(execution_policy<Derived>& exec, const char* what, const Algorithm& algorithm) {
  Index count = 0;
  const auto stream = stream_of(exec);
  throw_on_error(warpmark_lib::with_own_memory(stream,
                                               [&](Scratch& scratch) {
                                                 Index* place = scratch.template take<Index>(1);
                                                 const cudaError_t error = algorithm(scratch, place);
                                                 if (error != cudaSuccess || scratch.measures()) return error;
                                                 return ::cudaMemcpyAsync(&count, place, sizeof count,
                                                                          cudaMemcpyDeviceToHost, stream);
                                               }),
                 what);
  throw_on_error(::cudaStreamSynchronize(stream), what);
  return count;
}

template <typename Derived, typename Input, typename Stencil, typename Output, typename Predicate>
Output copy_if(execution_policy<Derived>& exec, Input first, Input last, Stencil stencil, Output result,
               Predicate predicate) {
  const Index count = index_distance(first, last);
  if (count <= 0) return result;
  const auto in = plain(first);
  const auto marks = plain(stencil);
  const auto out = plain(result);
  using Keep = warpmark_lib::KeepIf<std::decay_t<decltype(marks)>, Predicate>;
  return result + counted(exec, "copy_if", [&](Scratch& scratch, Index* selected) {
           return warpmark_lib::select(scratch, in, out, selected, count, Keep{marks, predicate}, false,
                                       stream_of(exec));
         });
}
template <typename Derived, typename Input, typename Output, typename Predicate>
Output copy_if(execution_policy<Derived>& exec, Input first, Input last, Output result, Predicate predicate) {
  return detail::copy_if(exec, first, last, first, result, predicate);
}

template <typename Derived, typename Keys, typename Values, typename KeysOut, typename ValuesOut,
          typename KeysEqual, typename Operation>
thrust::pair<KeysOut, ValuesOut> reduce_by_key(execution_policy<Derived>& exec, Keys first, Keys last,
                                               Values values_first, KeysOut keys_result,
                                               ValuesOut values_result, KeysEqual equal,
                                               Operation operation) {
  using T = ValueOf<Values>;
  const Index count = index_distance(first, last);
  if (count <= 0) return {keys_result, values_result};
  const auto keys = plain(first);
  const auto values = plain(values_first);
  const auto keys_out = plain(keys_result);
  const auto values_out = plain(values_result);
  const Index runs = counted(exec, "reduce_by_key", [&](Scratch& scratch, Index* place) {
    return warpmark_lib::reduce_by_key<T>(scratch, keys, values, keys_out, values_out, place, count, equal,
                                          operation, stream_of(exec));
  });
  return {keys_result + runs, values_result + runs};
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
