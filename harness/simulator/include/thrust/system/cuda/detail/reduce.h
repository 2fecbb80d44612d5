#pragma once

#include <thrust/system/cuda/detail/device.h>

#include "warpmark_cuda/algorithms/reduce.h"

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cuda {
namespace detail {

template <typename Derived, typename Input, typename T, typename Operation>
T reduce(execution_policy<Derived>& exec, Input first, Input last, T initial, Operation operation) {
  const Index count = index_distance(first, last);
  if (count <= 0) return initial;
  const auto in = plain(first);
  alignas(T) unsigned char memory[sizeof(T)];
  const auto on_stream = stream_of(exec);
  throw_on_error(warpmark_lib::with_own_memory(on_stream,
                                               [&](Scratch& scratch) {
                                                 T* sum = scratch.template take<T>(1);
                                                 const cudaError_t error = warpmark_lib::reduce<T>(
                                                     scratch, in, sum, count, operation, initial, on_stream);
                                                 if (error != cudaSuccess || scratch.measures()) return error;
                                                 return ::cudaMemcpyAsync(memory, sum, sizeof(T),
                                                                          cudaMemcpyDeviceToHost, on_stream);
                                               }),
                 "reduce");
  throw_on_error(::cudaStreamSynchronize(on_stream), "reduce");
  return reinterpret_cast<T&>(memory);
}

}  // namespace detail
}  // namespace cuda
}  // namespace system
THRUST_NAMESPACE_END
