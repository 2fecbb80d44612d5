// Records what a warp accesses by one instruction, for a picture of threads and elements.
#pragma once

#include <optional>

#include "harness/base/evidence.h"
#include "harness/simulator/engine/machine/block.h"

namespace warpmark::simulator {

// An access that starts at most this many bytes before a shared or local window is reported as a negative
// index into that window.
inline constexpr Address kWindowReach = 0x10000;

// Returns the elements that the lanes in `mask` access, as indices into the array that `lane` accesses, or
// was probably meant to access. addresses: offsets in shared memory if `shared`, else device addresses.
// Lanes are left out that are farther from that array than any index error reaches.
WarpAccess warp_access_of(const Block& block, const Warp& warp, const Instruction& instruction, Access access,
                          bool shared, std::uint32_t mask, const Address* addresses, unsigned lane);
// The same of the access that the context's warp makes; nullopt if the lane accesses neither global memory
// nor the shared memory of its block.
std::optional<WarpAccess> warp_access_of(const Context& context, const Instruction& instruction,
                                         Access access, unsigned lane);

}  // namespace warpmark::simulator
