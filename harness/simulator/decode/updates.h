// Finds the loads of read-modify-writes such as `*p += x`. A race with such a load means lost updates; a race
// with any other load means that a thread reads what another thread computes. The race report distinguishes
// the two.
#pragma once

#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Returns one flag per instruction: true if it loads from an address that the same source line stores to.
std::vector<bool> updates_of(const ptx::Function& function);

}  // namespace warpmark::simulator
