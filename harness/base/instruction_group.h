// Groups of executed instructions whose results the simulator can change, by fault injection.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "harness/base/names.h"

namespace warpmark {

enum class InstructionGroup : std::uint8_t {
  shared_memory,    // loads and stores
  global_atomics,   // atomic operations on global memory
  shuffles,         // shuffles and reductions of a warp
  real_arithmetic,  // arithmetic on floating-point numbers
};
constexpr std::array<std::string_view, 4> names_of(InstructionGroup /*type*/) {
  return {"shared_memory", "global_atomics", "shuffles", "real_arithmetic"};
}

}  // namespace warpmark
