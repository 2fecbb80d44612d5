// What memory holds that nobody has set.
#pragma once

#include <cstddef>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

// Sets the bytes of a new allocation, which lie at view, to what its kind begins with.
void fill_unset(std::byte* view, const Allocation& allocation);

// Whether reading a new allocation before anybody has set it is a fault that can be seen: not of memory that
// the host writes without a call, unless its first contents tell.
bool starts_unset(const Allocation& allocation);

// Whether managed memory holds there what it held when it was allocated: nobody has set it, not even the
// host.
bool still_unset(const Allocation& managed, std::size_t offset, std::size_t bytes);

}  // namespace warpmark::simulator
