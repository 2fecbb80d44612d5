// What Instruction::detail says of an atomic operation.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

inline constexpr std::uint8_t kExchanges = 1;  // a store first of all: it need not find a value
inline constexpr std::uint8_t kForSystem = 2;  // atomic for the host and other devices, too

}  // namespace warpmark::simulator
