// A warp's access to global or shared memory, as the race detector and the counters receive it.
#pragma once

#include <cstdint>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

// Access of one warp instruction to either global or shared memory. An instruction whose lanes access both is
// reported as two Touch objects.
struct Touch {
  const Instruction& instruction;
  Access access = Access::read;
  // True for a shared-memory access; false for a global one, which includes pinned and managed host memory.
  bool shared = false;
  unsigned width = 0;       // bytes that the memory access touches per lane: a power of two, at most 16
  bool contiguous = false;  // true if each active lane accesses the bytes after the previous active lane's
  bool uniform = false;     // true if all active lanes access one address
  std::uint32_t mask = 0;   // lanes that take part in the memory access, at least one
  // Addresses per lane: offsets in shared memory, or device addresses. The array is cache-line aligned;
  // inactive lanes copy an active lane's address.
  const Address* addresses;
  // Offset in the race detector's shadow minus address, if all lanes access one allocation of global memory.
  std::ptrdiff_t shadow = kNoShadow;
  const Slots* slots = nullptr;  // host locations per lane if lanes access several allocations; else null

  // Returns the offset of the lane's bytes in the shadow of global memory; kNoPlace if the shadow does not
  // cover them.
  [[nodiscard]] std::size_t place(unsigned lane) const {
    if (slots != nullptr) return (*slots)[lane].place;
    return shadow == kNoShadow ? kNoPlace : addresses[lane] + static_cast<Address>(shadow);
  }
};

// True if the memory access is atomic with respect to other threads, in any scope: an atomic operation, or
// an atomic load or store.
[[nodiscard]] inline bool is_atomic(const Touch& touch) {
  return touch.instruction.strength == Strength::atomic ||
         touch.instruction.strength == Strength::atomic_in_block;
}

}  // namespace warpmark::simulator
