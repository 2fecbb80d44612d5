// Compares what a program put out with what it should have: pure functions of two texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark::program {

enum class ComparisonKind : std::uint8_t {
  exact,    // comparison of outputs: all bytes must be equal
  words,    // comparison of outputs: the words must be equal; white space between them is ignored
  numbers,  // comparison of outputs: the words must be equal; numbers may differ within a tolerance
};
std::optional<ComparisonKind> comparison_kind_from(std::string_view name);

struct Comparison {
  ComparisonKind kind = ComparisonKind::exact;
  double relative = 0;  // allowed error of a number, as a share of the expected one
  double absolute = 0;  // allowed absolute error of a number, which passes with this one or `relative`
};

// The first place where two texts differ.
struct Difference {
  std::size_t line = 0;  // line of the difference in the actual text, from 1
  std::string what;      // the difference as a sentence: "number 2 of line 3 differs"
  std::string expected;  // the expected line, word or number, cut to kShownBytes
  std::string actual;
};
inline constexpr std::size_t kShownBytes = 200;

// Returns the first difference that matters, or nullopt. Linear in the texts' sizes. NaN equals nothing.
std::optional<Difference> difference(const Comparison& comparison, std::string_view expected,
                                     std::string_view actual);

}  // namespace warpmark::program
