// Compiles a GPU program to machine code for launches without race detection or counters. Each instruction
// becomes vector code for the 32 lanes of a warp (templates.h), or a call of its handler. The code behaves
// exactly like the interpreter, and returns to it for control events such as barriers and divergence.
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
  // Compiles the program. Returns null if the processor has no AVX-512, or the system does not allow
  // generated code.
  static std::unique_ptr<NativeCode> of(const Program& program);

  // Runs the lanes of Context::mask from Context::pc (which must not be `rejoin`) until a handler raises an
  // event (Context::event) or the pc is `rejoin`. Returns the number of instructions executed. Rethrows
  // exceptions of handlers.
  std::uint64_t run(Context& context, std::uint32_t rejoin) const;

 private:
  // Machine code of the compiled program, in two variants: for warps with all 32 lanes active (variants_[0])
  // and for warps with inactive lanes, which need a mask (variants_[1]).
  struct Variant {
    std::shared_ptr<const std::byte> code;  // machine code; the memory is executable and not writable
    std::vector<std::uint32_t> begins;      // offset in `code` of each instruction, indexed by pc
  };

  NativeCode() = default;

  std::array<Variant, 2> variants_;
  // Indexed by pc: number of earlier instructions in its basic block. run() subtracts it if it enters at that
  // pc, because native code counts a basic block as a whole.
  std::vector<std::uint32_t> uncounted_;
};

}  // namespace warpmark::simulator::native
