// Helpers of the simulator's CUB device algorithms. As with CUB, a call with null temporary storage returns
// only the required size.
#pragma once

#include <limits>

#include "cub/iterator/iterators.h"
#include "cub/thread/thread_operators.cuh"
#include "cub/util_type.cuh"
#include "warpmark_cuda/algorithms/run.h"

namespace cub {
namespace detail {

using warpmark_lib::Index;
using warpmark_lib::Scratch;
using warpmark_lib::ValueOf;
using warpmark_lib::ValueOr;
using warpmark_lib::with_memory_of_caller;

// Result type of applying the operation to an initial value and an input value. A class template, because the
// operation may be a device-only lambda, whose type a host function cannot evaluate.
template <typename Operation, typename Initial, typename Input>
struct AccumulatedOf {
  using Type = std::decay_t<decltype(std::declval<Operation&>()(std::declval<Initial>(),
                                                                std::declval<ValueOf<Input>>()))>;
};
template <typename Operation, typename Initial, typename Input>
using Accumulated = typename AccumulatedOf<Operation, Initial, Input>::Type;

// Returns the initial value of a scan or reduction; reads a FutureValue from device memory.
template <typename T>
T value_of(const T& initial) {
  return initial;
}

}  // namespace detail
}  // namespace cub
