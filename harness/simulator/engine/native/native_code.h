// Compiles a program to machine code for unobserved launches: each instruction becomes vector code for the 32
// lanes of a warp (templates.h), or a call of its handler. Behaves exactly like the interpreter and returns
// to it for everything that the machine must decide (events).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator::native {

class NativeCode {
 public:
  // Returns null if the processor has no AVX-512, or the system does not allow generated code.
  static std::unique_ptr<NativeCode> of(const Program& program);

  // Runs the lanes of Context::mask from Context::pc (which must not be `rejoin`) until an event is raised
  // (Context::event) or the pc is `rejoin`. Returns the number of instructions executed. Rethrows exceptions
  // of handlers.
  std::uint64_t run(Context& context, std::uint32_t rejoin) const;

 private:
  // Code for all 32 lanes, and for a subset given by the mask.
  struct Variant {
    std::shared_ptr<const std::byte> code;  // executable and not writable
    std::vector<std::uint32_t> begins;      // code offset, indexed by pc
  };

  NativeCode() = default;

  std::array<Variant, 2> variants_;
  // Indexed by pc: preceding instructions of its basic block, which run() subtracts when it enters there.
  std::vector<std::uint32_t> uncounted_;
};

}  // namespace warpmark::simulator::native
