// Code generation helpers for the instruction templates (templates.h): addresses of PTX registers, and stores
// under the mask of active lanes.
//
// A PTX register is a row of 32 values in memory: two 512-bit vectors for 32-bit values, four for 64-bit and
// one for 16-bit; a predicate is one word. Each result is written there, so that native code can be left at
// any instruction; within a basic block its copy in a machine register is read (kept_rows.h).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <xbyak/xbyak.h>

#include "harness/simulator/engine/native/kept_rows.h"
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
  explicit Emitter(bool masked) : Emitter(masked, std::make_index_sequence<32>()) {}

  // True if the code is for warps with inactive lanes. Mask registers 0 and 7 are free for temporary use.
  [[nodiscard]] bool masked() const { return masked_; }
  [[nodiscard]] static Xbyak::Opmask mask_of_sixteen(unsigned part) { return Xbyak::Opmask(1 + part); }
  [[nodiscard]] static Xbyak::Opmask mask_of_eight(unsigned part) { return Xbyak::Opmask(3 + part); }

  static Xbyak::Address memory_of(Operand operand, std::size_t offset = 0) {
    const std::array bases{util::rbx, util::rbp, util::r14, util::r15};
    return util::ptr[bases[operand & kBaseMask] + ((operand & ~kBaseMask) + offset)];
  }
  // Return 512-bit vector `number` of an operand's 32 lane values, and eight 32-bit values of it, to be read:
  // a machine register or memory. The references are valid until the fourth call from now on.
  const Xbyak::Operand& in(Operand row, unsigned number) {
    const int kept = kept_.find(row, number);
    return kept < 0 ? source(part(row, number)) : vectors_.at(static_cast<std::size_t>(kept));
  }
  const Xbyak::Operand& eight_in(Operand row, unsigned number) {
    const int kept = number % 2 == 0 ? kept_.find(row, number / 2) : -1;
    return kept < 0 ? source(eighth(row, number)) : halves_.at(static_cast<std::size_t>(kept));
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

  // The keep functions emit stores of the active lanes' results to a row, which overwrite vector register 31.
  void keep32(const Xbyak::Zmm& value, Operand to, unsigned number) {
    keep(&Emitter::vmovdqa32, value, to, number, mask_of_sixteen(number));
  }
  void keep64(const Xbyak::Zmm& value, Operand to, unsigned number) {
    keep(&Emitter::vmovdqa64, value, to, number, mask_of_eight(number));
  }
  void keep16(const Xbyak::Zmm& value, Operand to) {
    if (masked_) kmovd(k7, ptr[in_context(&Context::mask)]);
    keep(&Emitter::vmovdqu16, value, to, 0, k7);
  }
  void keep_eight32(const Xbyak::Ymm& value, Operand to, unsigned number) {
    store_eight32(value, eighth(to, number), number);
    kept_.forget(to, number / 2);
  }
  // The store functions do the same where the values are no PTX register.
  void store32(const Xbyak::Zmm& value, const Xbyak::Address& at, unsigned number) {
    store(&Emitter::vmovdqa32, zmm31, value, at, mask_of_sixteen(number));
  }
  void store_eight32(const Xbyak::Ymm& value, const Xbyak::Address& at, unsigned number) {
    store(&Emitter::vmovdqa32, ymm31, value, at, mask_of_eight(number));
  }

  // Copies of rows that the code emitted so far leaves in registers.
  [[nodiscard]] KeptRows& kept() { return kept_; }
  // False: the code emitted from now on has several ways, each of which writes the results.
  void go_one_way(bool one_way) { one_way_ = one_way; }
  // Emits the loads that make `rows` true, wherever the code comes from.
  void load(const KeptRows& rows) {
    rows.for_each(
        [&](int to, Operand row, unsigned number) { vmovdqu64(Xbyak::Zmm(to), part(row, number)); });
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
  template <std::size_t... kNumbers>
  Emitter(bool masked, std::index_sequence<kNumbers...> /*all*/)
      : CodeGenerator(std::size_t{1} << 16, Xbyak::AutoGrow),
        masked_(masked),
        vectors_{Xbyak::Zmm(static_cast<int>(kNumbers))...},
        halves_{Xbyak::Ymm(static_cast<int>(kNumbers))...} {
    setDefaultJmpNEAR(true);
  }

  const Xbyak::Operand& source(const Xbyak::Address& address) {
    next_source_ = (next_source_ + 1) % sources_.size();
    return sources_.at(next_source_).emplace(address);
  }
  void keep(Unary move, const Xbyak::Zmm& value, Operand to, unsigned number, const Xbyak::Opmask& mask) {
    if (masked_) {
      vmovdqu64(zmm31, in(to, number));
      (this->*move)(zmm31 | mask, value);
    }
    const Xbyak::Zmm& whole = masked_ ? zmm31 : value;
    vmovdqu64(part(to, number), whole);
    if (one_way_)
      vmovdqa64(Xbyak::Zmm(kept_.keep(to, number)), whole);
    else
      kept_.forget(to, number);
  }
  template <class Vector>
  void store(Unary move, const Vector& spare, const Vector& value, const Xbyak::Address& at,
             const Xbyak::Opmask& mask) {
    if (masked_) {
      vmovdqu64(spare, at);
      (this->*move)(spare | mask, value);
    }
    vmovdqu64(at, masked_ ? spare : value);
  }

  bool masked_;
  bool one_way_ = true;
  KeptRows kept_;
  std::array<Xbyak::Zmm, 32> vectors_;
  std::array<Xbyak::Ymm, 32> halves_;
  std::array<std::optional<Xbyak::Address>, 4> sources_;  // what in() and eight_in() returned last
  std::size_t next_source_ = 0;
};

}  // namespace warpmark::simulator::native
