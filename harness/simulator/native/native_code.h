// A program's code as machine code of this computer, for launches that nobody looks on at: each instruction
// for the 32 lanes of a warp at once (templates.h), or a call of its handler. It does what the interpreter
// does, instruction by instruction, and hands back to it wherever that has to decide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator::native {

// Memory that holds machine code, and can no longer be written.
class ExecutableMemory {
 public:
  explicit ExecutableMemory(const std::vector<std::uint8_t>& code);  // empty where the system refuses it
  ~ExecutableMemory();
  ExecutableMemory(const ExecutableMemory&) = delete;
  ExecutableMemory& operator=(const ExecutableMemory&) = delete;

  [[nodiscard]] const std::byte* data() const { return static_cast<const std::byte*>(memory_); }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_;
};

class NativeCode {
 public:
  // Null where this machine has no AVX-512, or does not let a process make code.
  static std::unique_ptr<NativeCode> of(const Program& program);

  // From Context::pc on, which is not `rejoin`, for the lanes of Context::mask: until the machine has to look
  // at the warp (Context::event), or the pc is `rejoin`. Returns how many instructions that were. Throws what
  // a handler threw.
  std::uint64_t run(Context& context, std::uint32_t rejoin) const;

 private:
  // For all lanes, and for some.
  struct Variant {
    std::unique_ptr<ExecutableMemory> memory;
    std::vector<std::uint32_t> begins;  // by pc
  };

  NativeCode() = default;

  std::array<Variant, 2> variants_;
  std::vector<std::uint32_t> uncounted_;  // by pc: instructions before it that are counted behind it
};

}  // namespace warpmark::simulator::native
