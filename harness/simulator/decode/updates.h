// Finds the loads of read-modify-writes such as `*p += x`, which load the word that they store to. If such a
// load is part of a race, updates get lost; any other racing load reads a value that another thread computes.
#pragma once

#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// Per instruction: true if it loads from the address that a store of the same source line stores to.
std::vector<bool> updates_of(const ptx::Function& function);

}  // namespace warpmark::simulator
