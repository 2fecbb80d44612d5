// Flag bits in Instruction::detail of atomic operations.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// The operation is an exchange: a plain store to the word, which may thus be uninitialised before.
inline constexpr std::uint8_t kExchanges = 1;
inline constexpr std::uint8_t kForSystem = 2;  // system scope: atomic also towards the host and other devices

}  // namespace warpmark::simulator
