// Classifies a host instruction's memory access as plain or atomic by decoding its bytes.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

enum class HostOperation : std::uint8_t { plain, atomic, compare_and_swap };

// Returns the kind of access that the x86-64 instruction makes; plain on other architectures, and for null.
// An atomic load or store compiles to a plain mov, so include/warpmark_cuda/host/host_atomics.h marks it with
// a redundant segment prefix. Async-signal-safe.
HostOperation host_operation(const void* instruction);

}  // namespace warpmark::simulator
