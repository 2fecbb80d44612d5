// Machine-code templates for floating-point operations and conversions. Multiplication and addition are fused
// only for fma instructions.
#include <array>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

using ptx::Type;

// bit patterns of 1.0 as float and as double
constexpr std::uint64_t kOnes[] = {0x3F800000, 0x3FF0000000000000};

void broadcast(Emitter& e, const Xbyak::Zmm& to, std::uint64_t bits, bool wide) {
  e.mov(rax, bits);
  if (wide)
    e.vpbroadcastq(to, rax);
  else
    e.vpbroadcastd(to, eax);
}

Template fused(bool wide) {
  const Binary code = wide ? Binary{&Emitter::vfmadd132pd} : Binary{&Emitter::vfmadd132ps};
  return [code, wide](Emitter& e, const Instruction& i, Label&) {
    each(e, wide, i.operands[0], [&](unsigned n) {
      e.vmovdqu64(zmm0, e.in(i.operands[1], n));
      e.vmovdqu64(zmm1, e.in(i.operands[3], n));
      (e.*code)(zmm0, zmm1, e.in(i.operands[2], n));
    });
  };
}

Template reciprocal(bool wide, bool of_root) {
  const RealBinary divide = wide ? &Emitter::vdivpd : &Emitter::vdivps;
  const Unary root = wide ? &Emitter::vsqrtpd : &Emitter::vsqrtps;
  return [=](Emitter& e, const Instruction& i, Label&) {
    broadcast(e, zmm2, kOnes[wide ? 1 : 0], wide);
    each(e, wide, i.operands[0], [&](unsigned n) {
      if (of_root) {
        (e.*root)(zmm1, e.in(i.operands[1], n));
        (e.*divide)(zmm0, zmm2, zmm1);
      } else {
        (e.*divide)(zmm0, zmm2, e.in(i.operands[1], n));
      }
    });
  };
}

// Returns the machine-code template that flips (`turn`) or clears the sign bit of floating-point values.
Template sign(bool wide, bool turn) {
  const Binary code = turn ? &Emitter::vpxorq : &Emitter::vpandq;
  return [=](Emitter& e, const Instruction& i, Label&) {
    const std::uint64_t bit = wide ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31;
    broadcast(e, zmm1, turn ? bit : bit - 1, wide);
    each(e, wide, i.operands[0], [&](unsigned n) { (e.*code)(zmm0, zmm1, e.in(i.operands[1], n)); });
  };
}

// Returns the machine-code template that converts 32-bit to 64-bit elements by the given x86 instruction.
Template widen(Unary code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    each64(e, i.operands[0], [&](unsigned n) { (e.*code)(zmm0, e.eight_in(i.operands[1], n)); });
  };
}
Template narrow_reals() {
  return [](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      e.vcvtpd2ps(ymm0, e.in(i.operands[1], n));
      e.keep_eight32(ymm0, i.operands[0], n);
    }
  };
}
Template narrow_integers() {
  return [](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      e.vmovdqu64(zmm0, e.in(i.operands[1], n));
      e.vpmovqd(ymm0, zmm0);
      e.keep_eight32(ymm0, i.operands[0], n);
    }
  };
}
Template copy() {
  return [](Emitter& e, const Instruction& i, Label&) {
    each32(e, i.operands[0], [&](unsigned n) { e.vmovdqu64(zmm0, e.in(i.operands[1], n)); });
  };
}

void add_conversions(Templates& all) {
  const auto add = [&](const char* name, Type to, Type from, Template made) {
    const std::array<Type, 2> types{to, from};
    const Handler handler = operations().convert({name, types}, size_of(to), size_of(from)).handler;
    if (handler != nullptr) all[handler] = std::move(made);
  };
  for (const Type to : {Type::s64, Type::u64}) {
    add("cvt", to, Type::u32, widen(&Emitter::vpmovzxdq));
    add("cvt", to, Type::s32, widen(&Emitter::vpmovsxdq));
  }
  for (const Type from : {Type::s64, Type::u64}) {
    for (const Type to : {Type::s32, Type::u32}) add("cvt", to, from, narrow_integers());
  }
  add("cvt", Type::u32, Type::s32, copy());
  add("cvt", Type::s32, Type::u32, copy());
  add("cvt.rn", Type::f32, Type::s32, unary(&Emitter::vcvtdq2ps, false));
  add("cvt.rn", Type::f32, Type::u32, unary(&Emitter::vcvtudq2ps, false));
  add("cvt.rn", Type::f64, Type::s32, widen(&Emitter::vcvtdq2pd));
  add("cvt.rn", Type::f64, Type::u32, widen(&Emitter::vcvtudq2pd));
  add("cvt", Type::f64, Type::f32, widen(&Emitter::vcvtps2pd));
  add("cvt.rn", Type::f32, Type::f64, narrow_reals());
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
    add("add", binary(wide ? &Emitter::vaddpd : &Emitter::vaddps, wide));
    add("sub", binary(wide ? &Emitter::vsubpd : &Emitter::vsubps, wide));
    add("mul", binary(wide ? &Emitter::vmulpd : &Emitter::vmulps, wide));
    add("div.rn", binary(wide ? &Emitter::vdivpd : &Emitter::vdivps, wide));
    add("fma.rn", fused(wide));
    add("sqrt.rn", unary(wide ? &Emitter::vsqrtpd : &Emitter::vsqrtps, wide));
    add("rcp.rn", reciprocal(wide, false));
    add("rsqrt.approx", reciprocal(wide, true));
    add("neg", sign(wide, true));
    add("abs", sign(wide, false));
  }
  add_conversions(all);
}

}  // namespace warpmark::simulator::native
