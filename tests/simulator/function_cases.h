// Functions and intrinsics of device code, each as the text that a kernel computes and what the host computes
// for the same operands.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace warpmark::simulator::test {

// What an expression may use, by these names; the kernel has the same structure.
struct Operands {
  float x, y, z;
  double a, b, c;
  int i, j, k;
  unsigned u, v, w;
  long long l, m;
  unsigned long long p, q;
};
inline constexpr const char* kOperandsText = R"(
struct Operands {
  float x, y, z;
  double a, b, c;
  int i, j, k;
  unsigned u, v, w;
  long long l, m;
  unsigned long long p, q;
};
)";

struct Value {
  enum class Kind { integer, f32, f64 } kind;
  std::uint64_t bits;
};
template <class T>
Value value_of(T value) {
  if constexpr (std::is_same_v<T, float>)
    return {Value::Kind::f32, std::bit_cast<std::uint32_t>(value)};
  else if constexpr (std::is_same_v<T, double>)
    return {Value::Kind::f64, std::bit_cast<std::uint64_t>(value)};
  else
    return {Value::Kind::integer, static_cast<std::uint64_t>(value)};
}

struct FunctionCase {
  std::string expression;
  Value (*expected)(const Operands&);
  double tolerance = 0;  // relative, of the result; 0: the same bits
};

std::vector<FunctionCase> mathematical_cases();
std::vector<FunctionCase> intrinsic_cases();

}  // namespace warpmark::simulator::test
