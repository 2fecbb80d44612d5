// Bits of the `detail` field of a decoded atomic instruction.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// The atomic instruction is an exchange: it stores a value that does not depend on the word's old value, so
// the word may be uninitialised.
inline constexpr std::uint8_t kExchanges = 1;
// the atomic has system scope: atomic also with respect to the host and other devices
inline constexpr std::uint8_t kForSystem = 2;

}  // namespace warpmark::simulator
