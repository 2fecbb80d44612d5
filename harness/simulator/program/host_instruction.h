// Classifies a host instruction's memory access as plain or atomic by decoding its bytes.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

enum class HostOperation : std::uint8_t { plain, atomic, compare_and_swap };

// Decodes x86-64 only; elsewhere every access is reported as plain. On x86-64 an atomic load or store
// compiles to a plain mov, so include/warpmark_cuda/host/host_atomics.h marks it with a redundant segment
// prefix. instruction: null if unknown (then plain). Async-signal-safe.
HostOperation host_operation(const void* instruction);

}  // namespace warpmark::simulator
