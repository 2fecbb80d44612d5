// Bits of the `detail` field of a decoded atomic instruction.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// The atomic is an exchange: it stores a value that does not depend on the word's old one, so the word may be
// uninitialised before.
inline constexpr std::uint8_t kExchanges = 1;
// the atomic has system scope: atomic also with respect to the host and other devices
inline constexpr std::uint8_t kForSystem = 2;

}  // namespace warpmark::simulator
