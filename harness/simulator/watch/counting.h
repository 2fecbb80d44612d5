// What one warp instruction costs in the memory system, from the addresses of its lanes alone.
#pragma once

#include <cstdint>

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kBanks = 32;  // of shared memory, kBankBytes wide
inline constexpr unsigned kBankBytes = 4;

// All of these take 32 addresses, aligned to the access's width (a power of two, at most 16 bytes), where an
// idle lane repeats the address of an active one.

// The sectors of global memory that a load or store touches.
unsigned sectors_of(const Address* addresses);

// Shared memory: the passes that it takes to serve all lanes, and how many of them are only there because
// lanes need different rows of one bank. Held against a chip: tests/simulator/counters.
struct Passes {
  unsigned wavefronts = 0;
  unsigned conflicts = 0;
};
Passes passes_of(const Address* offsets, std::uint32_t mask, unsigned width, bool load);

// Active lanes whose address a lower active lane has, too: an atomic of theirs has to wait for it.
unsigned repeated_addresses(const Address* addresses, std::uint32_t mask);

}  // namespace warpmark::simulator
