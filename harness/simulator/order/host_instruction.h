// What an instruction of the host does with the memory that it accesses, from its bytes.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

enum class HostOperation : std::uint8_t { plain, atomic, compare_and_swap };

// Of x86-64; of other machines' code every operation counts as plain. An atomic load or store is a plain move
// there: compiled with include/warpmark_cuda/host_atomics.h it has a prefix that changes nothing else.
// instruction: null when it is not known. Safe in a signal handler.
HostOperation host_operation(const void* instruction);

}  // namespace warpmark::simulator
