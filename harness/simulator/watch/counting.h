// Computes the memory-system cost of one warp instruction from its lanes' addresses.
#pragma once

#include <cstdint>

#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kBanks = 32;  // of shared memory, kBankBytes wide
inline constexpr unsigned kBankBytes = 4;

// Every function below takes 32 addresses aligned to the access width (a power of two, at most 16 bytes). An
// inactive lane holds a copy of an active lane's address.

// Number of distinct 32-byte sectors of global memory that a load or store touches.
unsigned sectors_of(const Address* addresses);

// Cost of a shared-memory access: all wavefronts, and how many of them are due to bank conflicts (lanes that
// need different rows of the same bank). tests/simulator/counters compares them with a real GPU.
struct Passes {
  unsigned wavefronts = 0;
  unsigned conflicts = 0;
};
Passes passes_of(const Address* offsets, std::uint32_t mask, unsigned width, bool load);

// Number of active lanes whose address equals that of a lower active lane; their atomics are serialised.
unsigned repeated_addresses(const Address* addresses, std::uint32_t mask);

}  // namespace warpmark::simulator
