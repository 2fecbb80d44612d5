// Sizes of a grid and its blocks, and what the machine allows them.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

inline constexpr int kMultiprocessors = 16;  // few: programs that fill the device stay quick to simulate

// Warp instructions that one block may execute before it counts as endless: a second or two on one core
// (measured at 4 to 17 ns each), and enough for one thread to add up 4 Mi values. A budget a block, not a
// launch, so that large grids are not mistaken for endless loops.
inline constexpr std::uint64_t kDefaultInstructionBudget = std::uint64_t{1} << 27;

}  // namespace warpmark::simulator
