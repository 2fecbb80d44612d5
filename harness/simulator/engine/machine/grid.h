// Dimensions of grids and blocks, and the simulated machine's limits.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

// few, so that programs sized to fill the device stay quick to simulate
inline constexpr int kMultiprocessors = 16;

// Seconds of processor time that the blocks of one host thread may run without any of them ending.
inline constexpr unsigned kDefaultTimeLimit = 20;
// Warp instructions without progress after which resident blocks are checked for an endless loop: a second or
// two on one core (measured at 4 to 17 ns each), enough for one thread to add up 4 Mi values.
inline constexpr std::uint64_t kDefaultInstructionBudget = std::uint64_t{1} << 27;

}  // namespace warpmark::simulator
