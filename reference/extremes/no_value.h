// The contract's rules for NaN and for inputs without any value.
#pragma once
#include <limits>

#include "extremes.h"

// The least and the greatest value of an empty input: neutral elements of min and max.
constexpr value_t kLeastOfNothing = std::numeric_limits<value_t>::has_infinity
                                        ? std::numeric_limits<value_t>::infinity()
                                        : std::numeric_limits<value_t>::max();
constexpr value_t kGreatestOfNothing = std::numeric_limits<value_t>::has_infinity
                                           ? -std::numeric_limits<value_t>::infinity()
                                           : std::numeric_limits<value_t>::min();

// The initial state, before any of the n values has been read.
__host__ __device__ inline Extremes extremes_of_nothing(std::size_t n) {
  return {kLeastOfNothing, kGreatestOfNothing, n, n};
}

// Every comparison with NaN is false, even NaN == NaN.
__host__ __device__ inline bool is_number(value_t value) {
  const value_t same = value;
  return same == value;
}
