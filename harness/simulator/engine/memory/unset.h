// Initial contents of uninitialised memory, which make reads before the first write visible.
#pragma once

#include <cstddef>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// Fills a new allocation with the initial contents of its kind. `view` is the address at which the simulator
// accesses its bytes.
void fill_unset(std::byte* view, const Allocation& allocation);

// True if the simulator can detect that a new allocation is read before it is written. False for memory that
// the host writes without a CUDA call, unless a change of the initial contents reveals such writes.
bool starts_unset(const Allocation& allocation);

// True if the range of managed memory still holds its initial contents: neither a kernel nor the host has
// written it.
bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes);

}  // namespace warpmark::simulator
