// Contents of uninitialised memory.
#pragma once

#include <cstddef>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

// Fills a new allocation, whose bytes are at view, with the initial contents of its kind.
void fill_unset(std::byte* view, const Allocation& allocation);

// True if reads of a new allocation before its first write can be detected. False for memory that the host
// writes without a CUDA call, unless a change of the initial contents reveals such writes.
bool starts_unset(const Allocation& allocation);

// True if the managed memory still holds its initial contents: neither kernels nor the host have written it.
bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes);

}  // namespace warpmark::simulator
