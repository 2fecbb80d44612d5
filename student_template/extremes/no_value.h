// What the contract says of inputs without any value, and of NaN.
#pragma once
#include <limits>

#include "extremes.h"

// The least of nothing, and the greatest: every value is at most the one and at least the other.
constexpr value_t kLeastOfNothing = std::numeric_limits<value_t>::has_infinity
                                        ? std::numeric_limits<value_t>::infinity()
                                        : std::numeric_limits<value_t>::max();
constexpr value_t kGreatestOfNothing = std::numeric_limits<value_t>::has_infinity
                                           ? -std::numeric_limits<value_t>::infinity()
                                           : std::numeric_limits<value_t>::min();

// The state before the first of n values was looked at.
__host__ __device__ inline Extremes extremes_of_nothing(std::size_t n) {
  return {kLeastOfNothing, kGreatestOfNothing, n, n};
}

// Every comparison with a NaN is false, even that with itself.
__host__ __device__ inline bool is_number(value_t value) {
  const value_t same = value;
  return same == value;
}
