// What CUB's device algorithms share. Each is called twice: without memory it says how much it needs.
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

// What an operation on a start and a value of the input makes. A class: within a function of the host the
// operation could not be one of the device alone.
template <typename Operation, typename Initial, typename Input>
struct AccumulatedOf {
  using Type = std::decay_t<decltype(std::declval<Operation&>()(std::declval<Initial>(),
                                                                std::declval<ValueOf<Input>>()))>;
};
template <typename Operation, typename Initial, typename Input>
using Accumulated = typename AccumulatedOf<Operation, Initial, Input>::Type;

// The value of a start that may be given later, in device memory.
template <typename T>
T value_of(const T& initial) {
  return initial;
}

}  // namespace detail
}  // namespace cub
