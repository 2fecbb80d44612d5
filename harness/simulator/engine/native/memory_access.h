// Machine code of a load or store of global or shared memory. It selects the access pattern at run time:
// consecutive values, one address for all lanes, the same for groups of eight lanes, or any addresses in one
// allocation. All other accesses are left to the interpreter's handler: several allocations, invalid
// addresses, accesses with a memory order.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>

#include "harness/simulator/engine/native/memory_shape.h"
#include "harness/simulator/engine/native/templates.h"

namespace warpmark::simulator::native {

class MemoryAccess {
 public:
  MemoryAccess(Emitter& emitter, const Instruction& instruction, const Shape& shape, Label& otherwise)
      : e_(emitter), i_(instruction), shape_(shape), otherwise_(otherwise) {}

  void load() {
    if (!can_be_native()) return e_.jmp(otherwise_);
    e_.go_one_way(false);
    Label scattered;
    Label done;
    load_addresses();
    if (!e_.masked()) {
      Label not_side_by_side;
      test_side_by_side(not_side_by_side);
      locate(kLanes * shape_.width());
      load_side_by_side();
      e_.jmp(done);
      e_.L(not_side_by_side);
    }
    test_equal(scattered);
    locate(shape_.width());
    load_equal();
    e_.jmp(done);
    e_.L(scattered);
    if (shape_.bytes < 4 || shape_.bytes != shape_.wide) {
      e_.jmp(otherwise_);
    } else {
      locate_all();
      gather();
    }
    e_.L(done);
    e_.go_one_way(true);
  }

  void store() {
    if (!can_be_native() || shape_.bytes != shape_.wide) return e_.jmp(otherwise_);
    // A global store uses the interpreter's handler until the launch is recorded as one that changes memory,
    // which native code does not do.
    if (i_.space != ptx::Space::shared) {
      e_.mov(rcx, ptr[in_context(&Context::lasting_effect)]);
      e_.cmp(byte[rcx], 0);
      e_.jz(otherwise_);
    }
    Label done;
    load_addresses();
    if (!e_.masked() && shape_.count == 1) {
      Label not_side_by_side;
      test_side_by_side(not_side_by_side);
      locate(kLanes * shape_.width());
      store_side_by_side();
      e_.jmp(done);
      e_.L(not_side_by_side);
    }
    if (shape_.bytes < 4) {
      e_.jmp(otherwise_);
    } else {
      locate_all();
      scatter();
    }
    e_.L(done);
  }

 private:
  [[nodiscard]] bool can_be_native() const {
    const bool known = i_.space == ptx::Space::global || i_.space == ptx::Space::constant ||
                       i_.space == ptx::Space::shared || i_.space == ptx::Space::none;
    return known && !i_.strong() && i_.offset > -kFurthest && i_.offset < kFurthest &&
           i_.offset % static_cast<std::int64_t>(shape_.width()) == 0 && i_.target < (1U << 20);
  }
  [[nodiscard]] std::int32_t offset() const { return static_cast<std::int32_t>(i_.offset); }
  [[nodiscard]] bool shared() const { return i_.space == ptx::Space::shared; }
  // Returns the AVX-512 mask register operand of a comparison of eight lanes: `result`, zero-masked by the
  // active lanes so that inactive lanes yield 0.
  [[nodiscard]] Xbyak::Opmask among_active(const Xbyak::Opmask& result, unsigned eight) const {
    return e_.masked() ? result | Emitter::mask_of_eight(eight) : result;
  }

  // Emits the load of the lanes' addresses. The generated code leaves the first active lane's address in rax
  // and in all elements of vector register 4.
  void load_addresses() {
    const Operand row = i_.operands[kAddressOperand];
    for (unsigned n = 0; n < 4; ++n) e_.vmovdqu64(addresses(n), e_.in(row, n));
    if (!e_.masked()) {
      e_.vmovq(rax, Xbyak::Xmm(addresses(0).getIdx()));
    } else {
      e_.mov(ecx, ptr[in_context(&Context::mask)]);
      e_.tzcnt(ecx, ecx);
      e_.lea(rdx, Emitter::memory_of(row));
      e_.mov(rax, ptr[rdx + rcx * 8]);
    }
    e_.vpbroadcastq(zmm4, rax);
  }

  // Emits a jump to `if_any`, taken if the comparison emitted by compare() holds in some active lane.
  template <class Compare>
  void test(Label& if_any, Compare compare) {
    for (unsigned n = 0; n < 4; ++n) {
      compare(n == 0 ? k0 : k7, n);
      if (n > 0) e_.korb(k0, k0, k7);
    }
    e_.kortestb(k0, k0);
    e_.jnz(if_any);
  }
  // Returns the lanes' distances in a coalesced access.
  [[nodiscard]] const Steps<std::uint64_t>& steps() const {
    return kSteps.at(static_cast<std::size_t>(std::countr_zero(shape_.width())));
  }
  void test_side_by_side(Label& otherwise) {
    e_.mov(rcx, reinterpret_cast<std::uint64_t>(steps().distance.data()));
    test(otherwise, [&](const Xbyak::Opmask& result, unsigned n) {
      e_.vpaddq(zmm5, zmm4, ptr[rcx + 64 * n]);
      e_.vpcmpuq(result, zmm5, addresses(n), kNotEqual);
    });
  }
  void test_equal(Label& otherwise) {
    test(otherwise, [&](const Xbyak::Opmask& result, unsigned n) {
      e_.vpcmpuq(among_active(result, n), zmm4, addresses(n), kNotEqual);
    });
  }

  void load_hit() {
    e_.mov(rdi, ptr[in_context(&Context::hits)]);
    e_.add(rdi, static_cast<std::uint32_t>(i_.target * sizeof(Hit)));
  }
  [[nodiscard]] static Xbyak::Address begin() { return ptr[rdi + offsetof(Hit, begin)]; }
  [[nodiscard]] Xbyak::Address bytes() const {
    return shared() ? ptr[in_context(&Context::shared_bytes)] : ptr[rdi + offsetof(Hit, bytes)];
  }
  [[nodiscard]] Xbyak::Address delta() const {
    return shared() ? ptr[in_context(&Context::shared)] : ptr[rdi + offsetof(Hit, delta)];
  }

  // Emits code that leaves the host address of the first active lane's access in rcx. The code jumps to
  // otherwise_ (to use the interpreter's handler) unless the `span` bytes from that address on are in bounds
  // and the address is aligned.
  void locate(std::uint32_t span) {
    if (!shared()) load_hit();
    e_.mov(rcx, rax);
    if (offset() != 0) e_.add(rcx, static_cast<std::uint32_t>(offset()));
    e_.mov(rdx, rcx);
    if (!shared()) e_.sub(rdx, begin());
    e_.cmp(rdx, bytes());
    e_.jae(otherwise_);
    e_.add(rdx, span);
    e_.cmp(rdx, bytes());
    e_.ja(otherwise_);
    if (shape_.width() > 1) {
      e_.test(ecx, shape_.width() - 1);
      e_.jnz(otherwise_);
    }
    e_.add(rcx, delta());
  }

  // Emits code that jumps to otherwise_ (to use the interpreter's handler) unless all active lanes' accesses
  // are in bounds and aligned, and that leaves host address minus device address in rcx.
  void locate_all() {
    if (!shared()) load_hit();
    e_.mov(rdx, bytes());
    e_.sub(rdx, shape_.width());
    e_.jb(otherwise_);
    e_.vpbroadcastq(zmm5, rdx);  // zmm5: last valid offset in the allocation, in each lane
    e_.mov(rdx, static_cast<std::uint64_t>(i_.offset));
    if (!shared()) e_.sub(rdx, begin());
    e_.vpbroadcastq(zmm6, rdx);
    test(otherwise_, [&](const Xbyak::Opmask& result, unsigned n) {
      e_.vpaddq(zmm7, zmm6, addresses(n));
      e_.vpcmpuq(among_active(result, n), zmm7, zmm5, kGreater);
    });
    e_.mov(edx, shape_.width() - 1);
    e_.vpbroadcastq(zmm6, rdx);
    test(otherwise_, [&](const Xbyak::Opmask& result, unsigned n) {
      e_.vptestmq(among_active(result, n), zmm6, addresses(n));
    });
    e_.mov(rcx, delta());
  }

  // Emits a load from [rcx + offset] into vector register 0 of as many values as fill it once they are
  // extended to the register's width.
  void load_extended(std::size_t offset) {
    struct Extension {
      unsigned from, to;
      Unary for_signed, for_unsigned;
    };
    constexpr std::array extensions{Extension{1, 2, &Emitter::vpmovsxbw, &Emitter::vpmovzxbw},
                                    Extension{1, 4, &Emitter::vpmovsxbd, &Emitter::vpmovzxbd},
                                    Extension{1, 8, &Emitter::vpmovsxbq, &Emitter::vpmovzxbq},
                                    Extension{2, 4, &Emitter::vpmovsxwd, &Emitter::vpmovzxwd},
                                    Extension{2, 8, &Emitter::vpmovsxwq, &Emitter::vpmovzxwq},
                                    Extension{4, 8, &Emitter::vpmovsxdq, &Emitter::vpmovzxdq}};
    for (const Extension& each : extensions) {
      if (each.from != shape_.bytes || each.to != shape_.wide) continue;
      return (e_.*(shape_.is_signed ? each.for_signed : each.for_unsigned))(zmm0, ptr[rcx + offset]);
    }
    e_.vmovdqu64(zmm0, ptr[rcx + offset]);
  }

  void load_side_by_side() {
    if (shape_.count > 1) return load_interleaved();
    const Operand to = i_.operands[0];
    const auto load = [&](unsigned n) { load_extended(std::size_t{64} / shape_.wide * shape_.bytes * n); };
    if (shape_.wide == 8) return each64(e_, to, load);
    if (shape_.wide == 4) return each32(e_, to, load);
    load(0);
    e_.keep16(zmm0, to);
  }

  // Emits a load of several values per lane, where the values of consecutive lanes are consecutive in memory.
  void load_interleaved() {
    e_.mov(rdx, reinterpret_cast<std::uint64_t>(kShortSteps[shape_.width() == 8 ? 0 : 1].distance.data()));
    e_.vmovdqu64(zmm6, ptr[rdx]);
    for (unsigned value = 0; value < shape_.count; ++value) {
      if (i_.operands[value] == kNoOperand) continue;
      const auto of_lane = [&](unsigned lane) { return lane * shape_.width() + value * shape_.bytes; };
      const Operand to = i_.operands[value];
      if (shape_.bytes == 4) {
        each32(e_, to, [&](unsigned n) {
          e_.kxnorw(k7, k7, k7);
          e_.vpgatherdd(zmm0 | k7, ptr[rcx + zmm6 + of_lane(16 * n)]);
        });
      } else {
        each64(e_, to, [&](unsigned n) {
          e_.kxnorw(k7, k7, k7);
          e_.vpgatherdq(zmm0 | k7, ptr[rcx + ymm6 + of_lane(8 * n)]);
        });
      }
    }
  }

  // Emits a load for lanes that all read the same address.
  void load_equal() {
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand to = i_.operands[value];
      if (to == kNoOperand) continue;
      load_one(std::size_t{value} * shape_.bytes);
      const auto same = [&](unsigned) { e_.vmovdqa64(zmm0, zmm1); };
      if (shape_.wide == 8) {
        e_.vpbroadcastq(zmm1, rax);
        each64(e_, to, same);
      } else if (shape_.wide == 4) {
        e_.vpbroadcastd(zmm1, eax);
        each32(e_, to, same);
      } else {
        e_.vpbroadcastw(zmm1, ax);
        e_.keep16(zmm1, to);
      }
    }
  }
  // Emits a load of the value at [rcx + offset], sign- or zero-extended, into rax.
  void load_one(std::size_t offset) {
    const Xbyak::RegExp at = rcx + offset;
    if (shape_.bytes == 8) return e_.mov(rax, ptr[at]);
    if (shape_.bytes == 4) return shape_.is_signed ? e_.movsxd(rax, dword[at]) : e_.mov(eax, ptr[at]);
    const Xbyak::Address from = shape_.bytes == 1 ? byte[at] : word[at];
    if (shape_.is_signed)
      e_.movsx(rax, from);
    else
      e_.movzx(eax, from);
  }

  [[nodiscard]] Xbyak::Address scattered(unsigned eight, unsigned value) const {
    return ptr[rcx + addresses(eight) + (static_cast<std::size_t>(i_.offset) + value * shape_.bytes)];
  }
  // Emits a copy of the active lanes' mask to mask register 7 for a gather or scatter, which clears that
  // register.
  void copy_mask(unsigned eight) {
    if (e_.masked())
      e_.kmovb(k7, Emitter::mask_of_eight(eight));
    else
      e_.kxnorw(k7, k7, k7);
  }
  // Emits the load of eight lanes' distances in a coalesced access into vector register 7.
  void load_steps() {
    e_.mov(rdx, reinterpret_cast<std::uint64_t>(steps().distance.data()));
    e_.vmovdqu64(zmm7, ptr[rdx]);
  }
  // Emits code for eight lanes whose addresses are often side by side or equal even if those of the warp are
  // not, as in blocks of 16 x 16 threads: then side_by_side() or equal() is done with the address of the
  // first of them in rax, else each_alone(). Without equal(), equal addresses are nothing special.
  template <class SideBySide, class Equal, class EachAlone>
  void by_eight(unsigned n, SideBySide side_by_side, Equal equal, EachAlone each_alone) {
    Label not_side_by_side;
    Label alone;
    Label done;
    constexpr bool may_be_equal = !std::is_same_v<Equal, std::nullptr_t>;
    if (e_.masked()) {
      e_.kortestb(Emitter::mask_of_eight(n), Emitter::mask_of_eight(n));
      e_.jnc(alone);
    }
    const Xbyak::Xmm first(addresses(n).getIdx());
    e_.vmovq(rax, first);
    e_.vpbroadcastq(zmm5, first);
    // The values of vectors lie between each other.
    if (shape_.count == 1) {
      e_.vpaddq(zmm6, zmm5, zmm7);
      e_.vpcmpuq(k7, zmm6, addresses(n), kNotEqual);
      e_.kortestb(k7, k7);
      e_.jnz(not_side_by_side);
      side_by_side();
      e_.jmp(done);
      e_.L(not_side_by_side);
    }
    if constexpr (may_be_equal) {
      e_.vpcmpuq(k7, zmm5, addresses(n), kNotEqual);
      e_.kortestb(k7, k7);
      e_.jnz(alone);
      equal();
      e_.jmp(done);
    }
    e_.L(alone);
    each_alone();
    e_.L(done);
  }

  void gather() {
    load_steps();
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand to = i_.operands[value];
      if (to == kNoOperand) continue;
      const std::size_t offset = static_cast<std::size_t>(i_.offset) + value * shape_.bytes;
      for (unsigned n = 0; n < 4; ++n) {
        if (shape_.bytes == 8) {
          by_eight(
              n, [&] { e_.vmovdqu64(zmm0, ptr[rcx + rax + offset]); },
              [&] { e_.vpbroadcastq(zmm0, ptr[rcx + rax + offset]); },
              [&] {
                copy_mask(n);
                e_.vpgatherqq(zmm0 | k7, scattered(n, value));
              });
          e_.keep64(zmm0, to, n);
        } else {
          by_eight(
              n, [&] { e_.vmovdqu32(ymm0, ptr[rcx + rax + offset]); },
              [&] { e_.vpbroadcastd(ymm0, ptr[rcx + rax + offset]); },
              [&] {
                copy_mask(n);
                e_.vpgatherqd(ymm0 | k7, scattered(n, value));
              });
          e_.keep_eight32(ymm0, to, n);
        }
      }
    }
  }

  void store_side_by_side() {
    const unsigned vectors = shape_.bytes / 2;  // number of 64-byte vectors that a warp's values fill
    for (unsigned n = 0; n < vectors; ++n) {
      e_.vmovdqu64(zmm0, e_.in(i_.operands[0], n));
      e_.vmovdqu64(ptr[rcx + 64 * n], zmm0);
    }
  }
  // Emits a scatter. If several lanes store to one address, the highest lane's value remains.
  void scatter() {
    load_steps();
    for (unsigned value = 0; value < shape_.count; ++value) {
      const Operand from = i_.operands[value];
      for (unsigned n = 0; n < 4; ++n) {
        const bool wide = shape_.bytes == 8;
        if (wide)
          e_.vmovdqu64(zmm0, e_.in(from, n));
        else
          e_.vmovdqu64(ymm0, e_.eight_in(from, n));
        const auto side_by_side = [&] {
          const Xbyak::Address at = ptr[rcx + rax + static_cast<std::size_t>(i_.offset)];
          wide ? e_.vmovdqu64(at, zmm0) : e_.vmovdqu64(at, ymm0);
        };
        by_eight(n, side_by_side, nullptr, [&] {
          copy_mask(n);
          wide ? e_.vpscatterqq(scattered(n, value) | k7, zmm0)
               : e_.vpscatterqd(scattered(n, value) | k7, ymm0);
        });
      }
    }
  }

  static constexpr std::uint8_t kNotEqual = 4;
  static constexpr std::uint8_t kGreater = 6;

  Emitter& e_;
  const Instruction& i_;
  Shape shape_;
  Label& otherwise_;
};

}  // namespace warpmark::simulator::native
