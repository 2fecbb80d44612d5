// Code generation helpers for the instruction templates (templates.h): locations of a kernel's values, and
// masked results.
//
// A row of 32 values occupies two 512-bit vectors for 32-bit values, four for 64-bit and one for 16-bit; a
// predicate is one word. No value stays in a register between instructions, so that native code can be
// entered and left at any instruction.
// and left between any two of them.
#pragma once

#include "harness/simulator/engine/native/assembler.h"
#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator::native {

// Registers reserved while native code runs.
// Number of instructions executed, updated at the end of each basic block.
inline constexpr Register kExecuted = r12;
inline constexpr Register kContext = r13;

// Vector instructions used by more than one template.
namespace op {
using C = VectorCode;
inline constexpr C load{C::pF3, C::m0F, 1, 0x6F};
inline constexpr C store{C::pF3, C::m0F, 1, 0x7F};
inline constexpr C move32{C::pF3, C::m0F, 0, 0x6F};
inline constexpr C move64{C::pF3, C::m0F, 1, 0x6F};
inline constexpr C move16{C::pF2, C::m0F, 1, 0x6F};
inline constexpr C add32{C::p66, C::m0F, 0, 0xFE};
inline constexpr C add64{C::p66, C::m0F, 1, 0xD4};
inline constexpr C subtract32{C::p66, C::m0F, 0, 0xFA};
inline constexpr C subtract64{C::p66, C::m0F, 1, 0xFB};
inline constexpr C multiply32{C::p66, C::m0F38, 0, 0x40};
inline constexpr C multiply64{C::p66, C::m0F38, 1, 0x40};
inline constexpr C multiply_signed{C::p66, C::m0F38, 1, 0x28};
inline constexpr C multiply_unsigned{C::p66, C::m0F, 1, 0xF4};
inline constexpr C and64{C::p66, C::m0F, 1, 0xDB};
inline constexpr C or64{C::p66, C::m0F, 1, 0xEB};
inline constexpr C xor64{C::p66, C::m0F, 1, 0xEF};
inline constexpr C ternary{C::p66, C::m0F3A, 1, 0x25};
inline constexpr C widen_unsigned{C::p66, C::m0F38, 0, 0x35};
inline constexpr C widen_signed{C::p66, C::m0F38, 0, 0x25};
inline constexpr C narrow{C::pF3, C::m0F38, 0, 0x35};  // stores
inline constexpr C shift64{C::p66, C::m0F, 1, 0x73};   // shift by a constant; /2: right, /6: left
inline constexpr C broadcast32{C::p66, C::m0F38, 0, 0x58};
inline constexpr C broadcast64{C::p66, C::m0F38, 1, 0x59};
inline constexpr C compare_signed32{C::p66, C::m0F3A, 0, 0x1F};
inline constexpr C compare_signed64{C::p66, C::m0F3A, 1, 0x1F};
inline constexpr C compare_unsigned32{C::p66, C::m0F3A, 0, 0x1E};
inline constexpr C compare_unsigned64{C::p66, C::m0F3A, 1, 0x1E};
}  // namespace op

inline constexpr unsigned kShiftRight = 2;
inline constexpr unsigned kShiftLeft = 6;

// Address of a member of the Context.
template <class Member, class Class>
MemoryOperand in_context(Member Class::*member) {
  static const Context probe{};
  const auto distance =
      reinterpret_cast<const std::byte*>(&(probe.*member)) - reinterpret_cast<const std::byte*>(&probe);
  return {kContext, static_cast<std::int32_t>(distance)};
}

class Emitter : public Assembler {
 public:
  // masked: for warps with inactive lanes. Mask registers 1 and 2 then hold the active lanes in groups of 16,
  // and 3 to 6 in groups of 8; results leave inactive lanes unchanged.
  explicit Emitter(bool masked) : masked_(masked) {}

  static constexpr unsigned kFree = 7;  // scratch mask register; so is 0

  [[nodiscard]] bool masked() const { return masked_; }
  [[nodiscard]] static unsigned mask_of_sixteen(unsigned part) { return 1 + part; }
  [[nodiscard]] static unsigned mask_of_eight(unsigned part) { return 3 + part; }

  static MemoryOperand memory_of(Operand operand, std::size_t offset = 0) {
    constexpr Register bases[] = {rbx, rbp, r14, r15};
    return {bases[operand & kBaseMask], static_cast<std::int32_t>((operand & ~kBaseMask) + offset)};
  }
  // Vector number `number` of a row.
  static MemoryOperand part(Operand operand, unsigned number) {
    return memory_of(operand, std::size_t{64} * number);
  }
  // Group number `number` of eight 32-bit values.
  static MemoryOperand eighth(Operand operand, unsigned number) {
    return memory_of(operand, std::size_t{32} * number);
  }

  void load_masks() {
    load32(rax, in_context(&Context::mask));
    mask_from(1, rax, 16);
    for (unsigned eight = 0; eight < 4; ++eight) {
      if (eight == 2) mask_from(2, rax, 16);
      mask_from(mask_of_eight(eight), rax, 8);
      if (eight < 3) shift_right32(rax, 8);
    }
  }

  // These store results of the active lanes. `spare`: a vector register that may be overwritten.
  void keep32(unsigned vector_register, const MemoryOperand& at, unsigned number, unsigned spare = 31) {
    keep(op::move32, k512, vector_register, at, mask_of_sixteen(number), spare);
  }
  void keep64(unsigned vector_register, const MemoryOperand& at, unsigned number, unsigned spare = 31) {
    keep(op::move64, k512, vector_register, at, mask_of_eight(number), spare);
  }
  void keep_eight32(unsigned vector_register, const MemoryOperand& at, unsigned number, unsigned spare = 31) {
    keep(op::move32, k256, vector_register, at, mask_of_eight(number), spare);
  }
  void keep16(unsigned vector_register, const MemoryOperand& at, unsigned spare = 31) {
    if (masked_) {
      load32(r11, in_context(&Context::mask));
      mask_from(kFree, r11, 32);
    }
    keep(op::move16, k512, vector_register, at, kFree, spare);
  }
  // Stores a predicate. Overwrites `value` and rdx.
  void keep_predicate(Register value, const MemoryOperand& at) {
    if (masked_) {
      load32(rdx, at);
      xor32(value, rdx);
      and32(value, in_context(&Context::mask));
      xor32(value, rdx);
    }
    store32(at, value);
  }
  void load_vector(unsigned vector_register, const MemoryOperand& from, unsigned length = k512) {
    vector(op::load, length, vector_register, 0, from);
  }

 private:
  void keep(const VectorCode& move, unsigned length, unsigned value, const MemoryOperand& at, unsigned mask,
            unsigned spare) {
    if (masked_) {
      vector(op::load, length, spare, 0, at);
      vector(move, length, spare, 0, value, {.mask = mask});
      value = spare;
    }
    vector(op::store, length, value, 0, at);
  }

  bool masked_;
};

}  // namespace warpmark::simulator::native
