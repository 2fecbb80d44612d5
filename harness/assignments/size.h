// The size of an input: one number per name in the assignment's `sizes`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// A problem size of one or more parts, such as rows and columns. It converts from a plain number, a size of
// one part; 0 also stands for "not given" in a rubric.
struct Size {
  Size(std::uint64_t only = 0)
      : parts{only} {}  // NOLINT(google-explicit-constructor): sizes are mostly one number
  explicit Size(std::vector<std::uint64_t> all) : parts(std::move(all)) {}

  std::vector<std::uint64_t> parts;

  auto operator<=>(const Size&) const = default;
};

// Returns the parts of a problem size, separated by commas: "33,7".
std::string to_text(const Size& size);
// Parses a problem size written by to_text(), such as "33,7". The error describes the format.
Result<Size> size_from(const std::string& text);

}  // namespace warpmark
