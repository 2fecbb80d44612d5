// The operations that operations_test tries, with what the host computes for each.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

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

template <class D, class A, class F>
Case unary(const std::string& opcode, F f) {
  return {opcode + " D, A;",
          {sizeof(D), sizeof(A), 0, 0},
          [f](Bits a, Bits, Bits) { return bits_of<D>(static_cast<D>(f(as<A>(a)))); },
          std::is_floating_point_v<A>};
}
template <class D, class A, class B, class F>
Case binary(const std::string& opcode, F f) {
  return {opcode + " D, A, B;",
          {sizeof(D), sizeof(A), sizeof(B), 0},
          [f](Bits a, Bits b, Bits) { return bits_of<D>(static_cast<D>(f(as<A>(a), as<B>(b)))); },
          std::is_floating_point_v<A>};
}
template <class D, class A, class B, class C, class F>
Case ternary(const std::string& opcode, F f) {
  return {opcode + " D, A, B, C;",
          {sizeof(D), sizeof(A), sizeof(B), sizeof(C)},
          [f](Bits a, Bits b, Bits c) { return bits_of<D>(static_cast<D>(f(as<A>(a), as<B>(b), as<C>(c)))); },
          std::is_floating_point_v<A>};
}
template <class T>
std::string type_name() {
  if constexpr (std::is_floating_point_v<T>)
    return sizeof(T) == 4 ? "f32" : "f64";
  else
    return fmt::format("{}{}", std::is_signed_v<T> ? 's' : 'u', 8 * sizeof(T));
}

// The type of twice as many bits.
template <class T>
using Wide = std::conditional_t<
    sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
    std::conditional_t<sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, std::int32_t, std::uint32_t>,
                       std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>>;

std::vector<Case> all_cases();
void add_mode_cases(
    std::vector<Case>& cases);  // roundings, .ftz and .sat, 24-bit products, sums of byte products

}  // namespace warpmark::simulator::test
