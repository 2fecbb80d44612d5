// Dimensions of grids and blocks, and the simulated machine's limits.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

// number of simulated multiprocessors; few, so that programs that size their grids to fill the device are
// quick to simulate
inline constexpr int kMultiprocessors = 16;

// Time limit in seconds of processor time. A launch is stopped if a host thread runs its blocks for this long
// without any of them ending.
inline constexpr unsigned kDefaultTimeLimit = 20;
// Number of warp instructions without progress (no block ends or reaches a grid barrier) after which resident
// blocks are checked for an endless loop. Takes a second or two on one core (4 to 17 ns per instruction,
// measured), enough for one thread to add up 4 Mi values.
inline constexpr std::uint64_t kDefaultInstructionBudget = std::uint64_t{1} << 27;

}  // namespace warpmark::simulator
