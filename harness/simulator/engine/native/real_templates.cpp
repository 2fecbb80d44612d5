// Templates of floating-point operations and conversions. Multiplications and additions are fused only if the
// PTX says so.
#include <array>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

using ptx::Type;
using C = VectorCode;

constexpr std::uint64_t kOnes[] = {0x3F800000, 0x3FF0000000000000};  // 1.0 as float and double

VectorCode real(std::uint8_t opcode, bool wide) {
  return {wide ? C::p66 : C::none, C::m0F, wide ? std::uint8_t{1} : std::uint8_t{0}, opcode};
}

void broadcast(Emitter& e, unsigned to, std::uint64_t bits, bool wide) {
  e.move(rax, bits);
  e.vector({C::p66, C::m0F38, wide ? std::uint8_t{1} : std::uint8_t{0}, 0x7C}, k512, to, 0, rax);
}

Template fused(bool wide) {
  const VectorCode code{C::p66, C::m0F38, wide ? std::uint8_t{1} : std::uint8_t{0},
                        0x98};  // 0 * second + first
  return [code](Emitter& e, const Instruction& i, Label&) {
    each(e, code, i.operands[0], [&](unsigned n) {
      e.load_vector(0, Emitter::part(i.operands[1], n));
      e.load_vector(1, Emitter::part(i.operands[3], n));
      e.vector(code, k512, 0, 1, Emitter::part(i.operands[2], n));
    });
  };
}

Template reciprocal(bool wide, bool of_root) {
  return [wide, of_root](Emitter& e, const Instruction& i, Label&) {
    broadcast(e, 2, kOnes[wide ? 1 : 0], wide);
    const VectorCode divide = real(0x5E, wide);
    each(e, divide, i.operands[0], [&](unsigned n) {
      if (of_root) {
        e.vector(real(0x51, wide), k512, 1, 0, Emitter::part(i.operands[1], n));
        e.vector(divide, k512, 0, 2, 1U);
      } else {
        e.vector(divide, k512, 0, 2, Emitter::part(i.operands[1], n));
      }
    });
  };
}

// Flips the sign bit, or clears it.
Template sign(bool wide, bool turn) {
  return [wide, turn](Emitter& e, const Instruction& i, Label&) {
    const std::uint64_t bit = wide ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31;
    broadcast(e, 1, turn ? bit : bit - 1, wide);
    each(e, real(0, wide), i.operands[0], [&](unsigned n) {
      e.vector(turn ? op::xor64 : op::and64, k512, 0, 1, Emitter::part(i.operands[1], n));
    });
  };
}

// Converts 32-bit to 64-bit elements.
Template widen(VectorCode code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    each64(e, i.operands[0],
           [&](unsigned n) { e.vector(code, k512, 0, 0, Emitter::eighth(i.operands[1], n)); });
  };
}
// Converts 64-bit to 32-bit elements; `code` yields eight of them.
Template narrow(VectorCode code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      e.vector(code, k512, 0, 0, Emitter::part(i.operands[1], n));
      e.keep_eight32(0, Emitter::eighth(i.operands[0], n), n);
    }
  };
}
Template narrow_integers() {
  return [](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      e.load_vector(0, Emitter::part(i.operands[1], n));
      e.vector(op::narrow, k512, 0, 0, 0U);
      e.keep_eight32(0, Emitter::eighth(i.operands[0], n), n);
    }
  };
}
Template copy() {
  return [](Emitter& e, const Instruction& i, Label&) {
    each32(e, i.operands[0], [&](unsigned n) { e.load_vector(0, Emitter::part(i.operands[1], n)); });
  };
}

void add_conversions(Templates& all) {
  const auto add = [&](const char* name, Type to, Type from, Template made) {
    const std::array<Type, 2> types{to, from};
    const Handler handler = operations().convert({name, types}, size_of(to), size_of(from)).handler;
    if (handler != nullptr) all[handler] = std::move(made);
  };
  for (const Type to : {Type::s64, Type::u64}) {
    add("cvt", to, Type::u32, widen(op::widen_unsigned));
    add("cvt", to, Type::s32, widen(op::widen_signed));
  }
  for (const Type from : {Type::s64, Type::u64}) {
    for (const Type to : {Type::s32, Type::u32}) add("cvt", to, from, narrow_integers());
  }
  add("cvt", Type::u32, Type::s32, copy());
  add("cvt", Type::s32, Type::u32, copy());
  add("cvt.rn", Type::f32, Type::s32, unary({C::none, C::m0F, 0, 0x5B}));
  add("cvt.rn", Type::f32, Type::u32, unary({C::pF2, C::m0F, 0, 0x7A}));
  add("cvt.rn", Type::f64, Type::s32, widen({C::pF3, C::m0F, 0, 0xE6}));
  add("cvt.rn", Type::f64, Type::u32, widen({C::pF3, C::m0F, 0, 0x7A}));
  add("cvt", Type::f64, Type::f32, widen({C::none, C::m0F, 0, 0x5A}));
  add("cvt.rn", Type::f32, Type::f64, narrow({C::p66, C::m0F, 1, 0x5A}));
}

}  // namespace

void add_real_templates(Templates& all) {
  for (const Type type : {Type::f32, Type::f64}) {
    const bool wide = type == Type::f64;
    const auto add = [&](const char* name, Template made) {
      const std::array<Type, 1> types{type};
      if (const Handler handler = operations().real({name, types}).handler; handler != nullptr)
        all[handler] = std::move(made);
    };
    add("add", binary(real(0x58, wide)));
    add("sub", binary(real(0x5C, wide)));
    add("mul", binary(real(0x59, wide)));
    add("div.rn", binary(real(0x5E, wide)));
    add("fma.rn", fused(wide));
    add("sqrt.rn", unary(real(0x51, wide)));
    add("rcp.rn", reciprocal(wide, false));
    add("rsqrt.approx", reciprocal(wide, true));
    add("neg", sign(wide, true));
    add("abs", sign(wide, false));
  }
  add_conversions(all);
}

}  // namespace warpmark::simulator::native
