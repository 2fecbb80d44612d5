// Code generation helpers for the instruction templates (templates.h): addresses of PTX registers, and stores
// under the mask of active lanes.
//
// A PTX register is a row of 32 values in memory: two 512-bit vectors for 32-bit values, four for 64-bit and
// one for 16-bit; a predicate is one word. No value stays in a machine register between instructions, so that
// native code can be entered and left at any instruction.
#pragma once

#include <xbyak/xbyak.h>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator::native {

namespace util = Xbyak::util;
using namespace Xbyak::util;  // Xbyak's names of x86 registers, and `ptr`
using Label = Xbyak::Label;

// Xbyak functions that emit a vector instruction, by its operands: a result, and one or two sources.
using Unary = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Operand&);
using Binary = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Xmm&, const Xbyak::Operand&);
using RealBinary = void (Xbyak::CodeGenerator::*)(const Xbyak::Xmm&, const Xbyak::Operand&,
                                                  const Xbyak::Operand&);

// Machine registers reserved while native code runs. kExecuted holds the number of instructions executed,
// updated at the end of each basic block.
inline constexpr Xbyak::Reg64 kExecuted = r12;
inline constexpr Xbyak::Reg64 kContext = r13;

// Returns the machine-code address (register kContext plus constant) of a member of Context, the state that
// instruction handlers access.
template <class Member, class Class>
Xbyak::RegExp in_context(Member Class::*member) {
  static const Context probe{};
  const auto distance =
      reinterpret_cast<const std::byte*>(&(probe.*member)) - reinterpret_cast<const std::byte*>(&probe);
  return kContext + static_cast<int>(distance);
}

class Emitter : public Xbyak::CodeGenerator {
 public:
  // masked: generate code for warps with inactive lanes, whose values stay unchanged. Mask registers 1 and 2
  // then hold the active lanes in groups of 16, and 3 to 6 in groups of 8.
  explicit Emitter(bool masked) : CodeGenerator(std::size_t{1} << 16, Xbyak::AutoGrow), masked_(masked) {
    setDefaultJmpNEAR(true);
  }

  // True if the code is for warps with inactive lanes. Mask registers 0 and 7 are free for temporary use.
  [[nodiscard]] bool masked() const { return masked_; }
  [[nodiscard]] static Xbyak::Opmask mask_of_sixteen(unsigned part) { return Xbyak::Opmask(1 + part); }
  [[nodiscard]] static Xbyak::Opmask mask_of_eight(unsigned part) { return Xbyak::Opmask(3 + part); }

  static Xbyak::Address memory_of(Operand operand, std::size_t offset = 0) {
    const std::array bases{util::rbx, util::rbp, util::r14, util::r15};
    return util::ptr[bases[operand & kBaseMask] + ((operand & ~kBaseMask) + offset)];
  }
  // Returns the address of 512-bit vector `number` of an operand's 32 lane values.
  static Xbyak::Address part(Operand operand, unsigned number) {
    return memory_of(operand, std::size_t{64} * number);
  }
  // Returns the machine-code address of part `number` (eight 32-bit values) of a PTX register's row of 32
  // lane values.
  static Xbyak::Address eighth(Operand operand, unsigned number) {
    return memory_of(operand, std::size_t{32} * number);
  }

  void load_masks() {
    mov(eax, ptr[in_context(&Context::mask)]);
    kmovw(k1, eax);
    for (unsigned eight = 0; eight < 4; ++eight) {
      if (eight == 2) kmovw(k2, eax);
      kmovb(mask_of_eight(eight), eax);
      if (eight < 3) shr(eax, 8);
    }
  }

  // The keep functions emit stores of the active lanes' results, which overwrite vector register 31.
  void keep32(const Xbyak::Zmm& value, const Xbyak::Address& at, unsigned number) {
    keep(&Emitter::vmovdqa32, zmm31, value, at, mask_of_sixteen(number));
  }
  void keep64(const Xbyak::Zmm& value, const Xbyak::Address& at, unsigned number) {
    keep(&Emitter::vmovdqa64, zmm31, value, at, mask_of_eight(number));
  }
  void keep_eight32(const Xbyak::Ymm& value, const Xbyak::Address& at, unsigned number) {
    keep(&Emitter::vmovdqa32, ymm31, value, at, mask_of_eight(number));
  }
  void keep16(const Xbyak::Zmm& value, const Xbyak::Address& at) {
    if (masked_) kmovd(k7, ptr[in_context(&Context::mask)]);
    keep(&Emitter::vmovdqu16, zmm31, value, at, k7);
  }
  // Emits the store of a predicate register (bit mask with a bit per lane) under the mask of active lanes;
  // overwrites `value` and edx.
  void keep_predicate(const Xbyak::Reg32& value, const Xbyak::Address& at) {
    if (masked_) {
      mov(edx, at);
      xor_(value, edx);
      and_(value, ptr[in_context(&Context::mask)]);
      xor_(value, edx);
    }
    mov(at, value);
  }

 private:
  template <class Vector>
  void keep(Unary move, const Vector& spare, const Vector& value, const Xbyak::Address& at,
            const Xbyak::Opmask& mask) {
    if (masked_) {
      vmovdqu64(spare, at);
      (this->*move)(spare | mask, value);
    }
    vmovdqu64(at, masked_ ? spare : value);
  }

  bool masked_;
};

}  // namespace warpmark::simulator::native
