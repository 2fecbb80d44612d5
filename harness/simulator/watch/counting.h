// Computes the memory-system cost of one warp instruction from its lanes' addresses.
#pragma once

#include <cstdint>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kBanks = 32;  // number of shared-memory banks, each kBankBytes wide
inline constexpr unsigned kBankBytes = 4;

// `addresses` is an array of the 32 addresses of a warp's access, each aligned to the access width (a power
// of two, at most 16 bytes). An inactive lane holds a copy of an active lane's address.

// Returns the number of distinct 32-byte sectors of global memory that a warp's load or store touches.
unsigned sectors_of(const Address* addresses);

// Cost of a warp's shared-memory access: wavefronts (passes) in total, and those caused by bank conflicts
// (lanes that need different rows of the same bank). tests/simulator/counters compares both with measurements
// on a GPU.
struct Passes {
  unsigned wavefronts = 0;
  unsigned conflicts = 0;
};
Passes passes_of(const Address* offsets, std::uint32_t mask, unsigned width, bool load);

// Returns the number of active lanes whose address equals a lower active lane's; atomic operations of such
// lanes are serialised.
unsigned repeated_addresses(const Address* addresses, std::uint32_t mask);

}  // namespace warpmark::simulator
