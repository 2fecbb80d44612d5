// A pair as one number of 64 bits: its key's place in the order above, its position below. Numbers of
// different pairs are different, and sorting them in any way keeps equal keys in the order in which they
// came.
#pragma once
#include <cstring>

#include "sort_host.h"

using Packed = unsigned long long;

// Numbers that are ordered as the keys are.
inline unsigned ordered(int key) {
  return static_cast<unsigned>(key) ^ 0x80000000U;  // negative ints have the highest bit set
}
inline unsigned ordered(float key) {
  if (key != key) return 0xffffffffU;  // NaN: behind all
  // The bits of positive floats are ordered, those of negative ones the other way round. -0 + 0 is +0.
  const float positive_zero = key + 0.0F;
  unsigned bits;
  std::memcpy(&bits, &positive_zero, sizeof bits);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

// packed[begin..end): those pairs.
inline void pack(const Pairs& pairs, Packed* packed, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) packed[i] = Packed{ordered(pairs.keys[i])} << 32 | i;
}

// Writes the pairs of sorted[begin..end) to their places.
inline void unpack(const Pairs& pairs, const Packed* sorted, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const auto from = static_cast<unsigned>(sorted[i]);  // the low half
    pairs.sorted_keys[i] = pairs.keys[from];
    if (pairs.values != nullptr) pairs.sorted_values[i] = pairs.values[from];
  }
}
