// Flags in Instruction::detail of atomic operations.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// An exchange: a store in the first place, so the word may be uninitialised.
inline constexpr std::uint8_t kExchanges = 1;
inline constexpr std::uint8_t kForSystem = 2;  // system scope: atomic also for the host and other devices

}  // namespace warpmark::simulator
