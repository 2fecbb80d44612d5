// Machine-code templates for integer and bit operations.
#include <array>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {

using ptx::Type;

Template unary(Unary code, bool wide) {
  return [code, wide](Emitter& e, const Instruction& i, Label&) {
    each(e, wide, i.operands[0], [&](unsigned n) { (e.*code)(zmm0, e.in(i.operands[1], n)); });
  };
}

namespace {

// Returns the machine-code template for the negation 0 - a.
Template negation(Binary subtract, bool wide) {
  return [subtract, wide](Emitter& e, const Instruction& i, Label&) {
    each(e, wide, i.operands[0], [&](unsigned n) {
      e.vpxorq(zmm0, zmm0, zmm0);
      (e.*subtract)(zmm0, zmm0, e.in(i.operands[1], n));
    });
  };
}

// Returns the machine-code template for a * b + c.
Template multiply_add(Binary multiply, Binary add, bool wide) {
  return [=](Emitter& e, const Instruction& i, Label&) {
    each(e, wide, i.operands[0], [&](unsigned n) {
      e.vmovdqu64(zmm0, e.in(i.operands[1], n));
      (e.*multiply)(zmm0, zmm0, e.in(i.operands[2], n));
      (e.*add)(zmm0, zmm0, e.in(i.operands[3], n));
    });
  };
}

void multiply_widened(Emitter& e, const Instruction& i, bool is_signed, unsigned n) {
  const Unary widen = is_signed ? &Emitter::vpmovsxdq : &Emitter::vpmovzxdq;
  const Binary multiply = is_signed ? Binary{&Emitter::vpmuldq} : Binary{&Emitter::vpmuludq};
  (e.*widen)(zmm0, e.eight_in(i.operands[1], n));
  (e.*widen)(zmm1, e.eight_in(i.operands[2], n));
  (e.*multiply)(zmm0, zmm0, zmm1);
}

// Returns the machine-code template for the 64-bit product of 32-bit factors, plus an optional third operand.
Template multiply_wide(bool is_signed, bool adds) {
  return [is_signed, adds](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      multiply_widened(e, i, is_signed, n);
      if (adds) e.vpaddq(zmm0, zmm0, e.in(i.operands[3], n));
      e.keep64(zmm0, i.operands[0], n);
    }
  };
}

// Returns the machine-code template for the upper 32 bits of a 64-bit product of 32-bit factors, plus an
// optional third operand.
Template multiply_high(bool is_signed, bool adds) {
  return [is_signed, adds](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      multiply_widened(e, i, is_signed, n);
      e.vpsrlq(zmm0, zmm0, 32);
      e.vpmovqd(ymm0, zmm0);
      if (adds) e.vpaddd(ymm0, ymm0, e.eight_in(i.operands[3], n));
      e.keep_eight32(ymm0, i.operands[0], n);
    }
  };
}

// Returns the machine-code template for a shift. The amount is 32-bit even if the shifted values are 64-bit.
Template shift(Binary code, bool wide) {
  if (!wide) return binary(code, wide);
  return [code](Emitter& e, const Instruction& i, Label&) {
    each64(e, i.operands[0], [&](unsigned n) {
      e.vpmovzxdq(zmm1, e.eight_in(i.operands[2], n));
      e.vmovdqu64(zmm0, e.in(i.operands[1], n));
      (e.*code)(zmm0, zmm0, zmm1);
    });
  };
}

// Returns the machine-code template for bitwise logic on rows of 2-, 4- or 8-byte values: one, two or four
// vectors. The operation on a vector does not depend on the element width.
template <class Emit>
Template logic(std::size_t bytes, Emit emit) {
  return [bytes, emit](Emitter& e, const Instruction& i, Label&) {
    const Operand to = i.operands[0];
    const auto body = [&](unsigned n) { emit(e, i, n); };
    if (bytes == 8) return each64(e, to, body);
    if (bytes == 4) return each32(e, to, body);
    body(0);
    e.keep16(zmm0, to);
  };
}

}  // namespace

void add_integer_templates(Templates& all) {
  const Operations& known = operations();
  const auto add = [&](Operation (*find)(const Mnemonic&), const char* name, Type type, Template made) {
    const std::array<Type, 1> types{type};
    if (const Handler handler = find({name, types}).handler; handler != nullptr)
      all[handler] = std::move(made);
  };
  for (const Type type : {Type::s32, Type::u32, Type::s64, Type::u64}) {
    const bool wide = size_of(type) == 8;
    const bool is_signed = type == Type::s32 || type == Type::s64;
    const auto pick = [&](Binary narrow, Binary for_wide) { return wide ? for_wide : narrow; };
    const Binary sum = pick(&Emitter::vpaddd, &Emitter::vpaddq);
    const Binary difference = pick(&Emitter::vpsubd, &Emitter::vpsubq);
    const Binary product = pick(&Emitter::vpmulld, &Emitter::vpmullq);
    const Binary least =
        is_signed ? pick(&Emitter::vpminsd, &Emitter::vpminsq) : pick(&Emitter::vpminud, &Emitter::vpminuq);
    const Binary greatest =
        is_signed ? pick(&Emitter::vpmaxsd, &Emitter::vpmaxsq) : pick(&Emitter::vpmaxud, &Emitter::vpmaxuq);
    const Binary right =
        is_signed ? pick(&Emitter::vpsravd, &Emitter::vpsravq) : pick(&Emitter::vpsrlvd, &Emitter::vpsrlvq);
    add(known.integer, "add", type, binary(sum, wide));
    add(known.integer, "sub", type, binary(difference, wide));
    add(known.integer, "neg", type, negation(difference, wide));
    add(known.integer, "mul.lo", type, binary(product, wide));
    add(known.integer, "mad.lo", type, multiply_add(product, sum, wide));
    add(known.integer, "min", type, binary(least, wide));
    add(known.integer, "max", type, binary(greatest, wide));
    if (is_signed) add(known.integer, "abs", type, unary(wide ? &Emitter::vpabsq : &Emitter::vpabsd, wide));
    add(known.bits, "shl", type, shift(pick(&Emitter::vpsllvd, &Emitter::vpsllvq), wide));
    add(known.bits, "shr", type, shift(right, wide));
    if (wide) continue;
    add(known.integer, "mul.wide", type, multiply_wide(is_signed, false));
    add(known.integer, "mad.wide", type, multiply_wide(is_signed, true));
    add(known.integer, "mul.hi", type, multiply_high(is_signed, false));
    add(known.integer, "mad.hi", type, multiply_high(is_signed, true));
  }
  for (const Type type : {Type::b16, Type::b32, Type::b64}) {
    const std::size_t bytes = size_of(type);
    if (bytes > 2)
      add(known.bits, "shl", type,
          shift(bytes == 8 ? Binary{&Emitter::vpsllvq} : Binary{&Emitter::vpsllvd}, bytes == 8));
    const auto two = [&](const char* name, Binary code) {
      add(known.bits, name, type, logic(bytes, [code](Emitter& e, const Instruction& i, unsigned n) {
            e.vmovdqu64(zmm0, e.in(i.operands[1], n));
            (e.*code)(zmm0, zmm0, e.in(i.operands[2], n));
          }));
    };
    two("and", &Emitter::vpandq);
    two("or", &Emitter::vporq);
    two("xor", &Emitter::vpxorq);
    add(known.bits, "not", type, logic(bytes, [](Emitter& e, const Instruction& i, unsigned n) {
          e.vmovdqu64(zmm0, e.in(i.operands[1], n));
          e.vpternlogq(zmm0, zmm0, zmm0, 0x0F);
        }));
    add(known.moves, "mov", type, logic(bytes, [](Emitter& e, const Instruction& i, unsigned n) {
          e.vmovdqu64(zmm0, e.in(i.operands[1], n));
        }));
  }
}

}  // namespace warpmark::simulator::native
