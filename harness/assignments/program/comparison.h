// Compares what a program put out with what it should have: pure functions of two texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpmark::program {

enum class ComparisonKind : std::uint8_t {
  exact,    // equal bytes
  words,    // equal words, whatever the white space between them
  numbers,  // as words, but numbers may differ within a tolerance
};
std::optional<ComparisonKind> comparison_kind_from(std::string_view name);

struct Comparison {
  ComparisonKind kind = ComparisonKind::exact;
  double relative = 0;  // allowed distance as a share of the expected number
  double absolute = 0;  // allowed distance; one of the two that holds is enough
};

// The first place where two texts differ.
struct Difference {
  std::size_t line = 0;  // of the actual text, from 1
  std::string what;      // "number 2 of line 3 differs"
  std::string expected;  // the line, word or number; at most kShownBytes of it
  std::string actual;
};
inline constexpr std::size_t kShownBytes = 200;

// Returns the first difference that matters, or nullopt. Linear in the texts' sizes. NaN equals nothing.
std::optional<Difference> difference(const Comparison& comparison, std::string_view expected,
                                     std::string_view actual);

}  // namespace warpmark::program
