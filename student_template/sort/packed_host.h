// Packs a pair into one 64-bit number: the ordered key in the high half, the position in the low half. The
// numbers of different pairs differ, so any sorting algorithm, stable or not, keeps equal keys in their input
// order.
#pragma once
#include <cstring>

#include "sort_host.h"

using Packed = unsigned long long;

// Maps a key to a 32-bit number; the numbers have the same order as the keys.
inline unsigned ordered(int key) {
  return static_cast<unsigned>(key) ^ 0x80000000U;  // negative ints have the highest bit set
}
inline unsigned ordered(float key) {
  if (key != key) return 0xffffffffU;  // NaN: after all others
  // The bits of positive floats are in order, those of negative floats in reverse order. -0 + 0 is +0.
  const float positive_zero = key + 0.0F;
  unsigned bits;
  std::memcpy(&bits, &positive_zero, sizeof bits);
  return (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
}

// Fills packed[begin..end) with those pairs.
inline void pack(const Pairs& pairs, Packed* packed, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) packed[i] = Packed{ordered(pairs.keys[i])} << 32 | i;
}

// Writes the pairs of sorted[begin..end) to their places.
inline void unpack(const Pairs& pairs, const Packed* sorted, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const auto from = static_cast<unsigned>(sorted[i]);  // the low half: the position
    pairs.sorted_keys[i] = pairs.keys[from];
    if (pairs.values != nullptr) pairs.sorted_values[i] = pairs.values[from];
  }
}
