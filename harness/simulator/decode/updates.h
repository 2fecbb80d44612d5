// `*p += x` loads the very word that it stores to. What such a load conflicts with are other updates of the
// word; any other load that conflicts with a store reads what another thread computes.
#pragma once

#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// By index of the instruction: whether it loads from where a store of the same source line stores to.
std::vector<bool> updates_of(const ptx::Function& function);

}  // namespace warpmark::simulator
