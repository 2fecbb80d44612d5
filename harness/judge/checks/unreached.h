// Says why no thread reaches an element, from the numbers of blocks and threads that were launched.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "harness/model/grade.h"

namespace warpmark::judge {

// What the launch says of the first element that was not written.
struct Unreached {
  std::string why = {};     // a clause; empty: the launch does not explain it
  std::string advice = {};  // a clause
  std::string kernel = {};  // the launched kernel, if the grid has as many blocks as it can; else empty
  std::string_view dimension = {};  // "x", "y" or "z": where it has as many
};

// `message`: begins with the name of the element, "values[512]" or "b(524280, 0)". `n`: how many elements
// there are.
Unreached why_unreached(std::string_view message, std::uint64_t n, std::span<const LaunchShape> launches);

}  // namespace warpmark::judge
