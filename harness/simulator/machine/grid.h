// Dimensions of grids and blocks, and the simulated machine's limits.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
};

// few, so that programs sized to fill the device stay quick to simulate
inline constexpr int kMultiprocessors = 16;

// Seconds of processor time that the blocks of one host thread may run without any of them ending. The
// instruction budget below is the number of warp instructions after which a block is suspected of looping
// endlessly: a second or two on one core (measured at 4 to 17 ns each), enough for one thread to add up 4 Mi
// values. It is per block, not per launch, so that large grids are not suspected.
inline constexpr unsigned kDefaultTimeLimit = 20;
inline constexpr std::uint64_t kDefaultInstructionBudget = std::uint64_t{1} << 27;

}  // namespace warpmark::simulator
