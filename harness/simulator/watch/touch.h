// An access of a warp to global or shared memory, as the access shadow and the counters see it.
#pragma once

#include <cstdint>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

// One warp instruction's access to one memory. An instruction whose lanes hit both memories is shown as two.
struct Touch {
  const Instruction& instruction;
  Access access = Access::read;
  bool shared = false;       // shared memory; else global, pinned and managed host memory included
  unsigned width = 0;        // bytes a lane: a power of two, at most 16
  bool contiguous = false;   // each lane's address is a width further on than that of the lane before it
  bool uniform = false;      // all addresses are the same
  std::uint32_t mask = 0;    // the lanes that take part, at least one
  const Address* addresses;  // a lane each: offset in the block's shared memory, or device address. On a
                             // cache line; an idle lane repeats the address of one that takes part
  std::ptrdiff_t shadow = kNoShadow;  // of global memory: place in the shadow - address, if all lanes hit one
  const Slots* slots = nullptr;       // allocation; else their slots say it

  // Where a lane's bytes are in the shadow of global memory; kNoPlace: it does not know them.
  [[nodiscard]] std::size_t place(unsigned lane) const {
    if (slots != nullptr) return (*slots)[lane].place;
    return shadow == kNoShadow ? kNoPlace : addresses[lane] + static_cast<Address>(shadow);
  }
};

// For other threads, of all blocks or of the own: a load and a store may be, too.
[[nodiscard]] inline bool is_atomic(const Touch& touch) {
  return touch.instruction.strength == Strength::atomic ||
         touch.instruction.strength == Strength::atomic_in_block;
}

}  // namespace warpmark::simulator
