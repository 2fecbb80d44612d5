// The size of an input: one number per name in the assignment's `sizes`.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// Holds at least one part. A plain number is a size of one part; 0 also stands for "not given" in a rubric.
struct Size {
  Size(std::uint64_t only = 0)
      : parts{only} {}  // NOLINT(google-explicit-constructor): sizes are mostly one number
  explicit Size(std::vector<std::uint64_t> all) : parts(std::move(all)) {}

  std::vector<std::uint64_t> parts;

  auto operator<=>(const Size&) const = default;
};

// Returns "33,7".
std::string to_text(const Size& size);
// Parses what to_text() writes. An error says what a size looks like.
Result<Size> size_from(const std::string& text);

}  // namespace warpmark
