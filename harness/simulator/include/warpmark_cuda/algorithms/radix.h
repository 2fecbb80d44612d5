// Key order of a radix sort: maps the selected bits of a key to an unsigned number that sorts like the key.
// -0 and +0 become equal.
#pragma once

#include "warpmark_cuda/algorithms/sort.h"

namespace warpmark_lib {

template <size_t bytes>
struct BitsOfSize;
template <>
struct BitsOfSize<1> {
  using Type = unsigned char;
};
template <>
struct BitsOfSize<2> {
  using Type = unsigned short;
};
template <>
struct BitsOfSize<4> {
  using Type = unsigned int;
};
template <>
struct BitsOfSize<8> {
  using Type = unsigned long long;
};

template <typename Key>
__host__ WARPMARK_LOOK_THROUGH typename BitsOfSize<sizeof(Key)>::Type rising_bits(const Key& key) {
  using Bits = typename BitsOfSize<sizeof(Key)>::Type;
  constexpr Bits kTop = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  Bits bits;
  __builtin_memcpy(&bits, &key, sizeof bits);
  if constexpr (std::is_integral_v<Key> && !std::is_signed_v<Key>) {
    return bits;
  } else if constexpr (std::is_integral_v<Key>) {
    return static_cast<Bits>(bits ^ kTop);
  } else {
    if (bits == kTop) bits = 0;
    return static_cast<Bits>(bits & kTop ? ~bits : bits | kTop);
  }
}

template <typename Key>
constexpr int kBitsOf = static_cast<int>(8 * sizeof(Key));

template <bool descending>
struct BeforeByBits {
  int begin;
  int end;
  template <typename Key>
  WARPMARK_LOOK_THROUGH bool operator()(const Key& a, const Key& b) const {
    return descending ? digits(b) < digits(a) : digits(a) < digits(b);
  }
  template <typename Key>
  WARPMARK_LOOK_THROUGH unsigned long long digits(const Key& key) const {
    const unsigned long long bits = static_cast<unsigned long long>(rising_bits(key)) >> begin;
    const int width = end - begin;
    return width >= 64 ? bits : bits & ((1ull << width) - 1);
  }
};

}  // namespace warpmark_lib
