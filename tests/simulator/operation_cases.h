// The operations that operations_test tries, with what the host computes for each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace warpmark::simulator::test {

using Bits = std::uint64_t;
using Reference = std::function<Bits(Bits, Bits, Bits)>;

// "add.s32 D, A, B;" with sizes of D, A, B, C in bytes; 0: not there. f: values are floating point.
struct Case {
  std::string text;
  std::array<int, 4> sizes;
  Reference expected;
  bool real = false;
};

template <class T>
T as(Bits bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}
template <class T>
Bits bits_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<Bits>(value);
  else
    return static_cast<Bits>(static_cast<std::make_unsigned_t<T>>(value));
}

std::vector<Case> all_cases();

}  // namespace warpmark::simulator::test
