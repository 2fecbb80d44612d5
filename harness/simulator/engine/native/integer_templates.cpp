// Templates of integer and bit operations.
#include <array>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {

using ptx::Type;
using C = VectorCode;

Template unary(VectorCode code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    each(e, code, i.operands[0],
         [&](unsigned n) { e.vector(code, k512, 0, 0, Emitter::part(i.operands[1], n)); });
  };
}

Template binary(VectorCode code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    each(e, code, i.operands[0], [&](unsigned n) {
      e.load_vector(0, Emitter::part(i.operands[1], n));
      e.vector(code, k512, 0, 0, Emitter::part(i.operands[2], n));
    });
  };
}

namespace {

// 0 - a
Template negation(VectorCode subtract) {
  return [subtract](Emitter& e, const Instruction& i, Label&) {
    each(e, subtract, i.operands[0], [&](unsigned n) {
      e.vector(op::xor64, k512, 0, 0, 0U);
      e.vector(subtract, k512, 0, 0, Emitter::part(i.operands[1], n));
    });
  };
}

// a * b + c
Template multiply_add(VectorCode multiply, VectorCode add) {
  return [multiply, add](Emitter& e, const Instruction& i, Label&) {
    each(e, add, i.operands[0], [&](unsigned n) {
      e.load_vector(0, Emitter::part(i.operands[1], n));
      e.vector(multiply, k512, 0, 0, Emitter::part(i.operands[2], n));
      e.vector(add, k512, 0, 0, Emitter::part(i.operands[3], n));
    });
  };
}

void widened(Emitter& e, const Instruction& i, bool is_signed, unsigned n) {
  const VectorCode& widen = is_signed ? op::widen_signed : op::widen_unsigned;
  e.vector(widen, k512, 0, 0, Emitter::eighth(i.operands[1], n));
  e.vector(widen, k512, 1, 0, Emitter::eighth(i.operands[2], n));
  e.vector(is_signed ? op::multiply_signed : op::multiply_unsigned, k512, 0, 0, 1U);
}

// 64-bit product of 32-bit factors, plus an optional third operand.
Template multiply_wide(bool is_signed, bool adds) {
  return [is_signed, adds](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      widened(e, i, is_signed, n);
      if (adds) e.vector(op::add64, k512, 0, 0, Emitter::part(i.operands[3], n));
      e.keep64(0, Emitter::part(i.operands[0], n), n);
    }
  };
}

// The upper 32 bits of such products.
Template multiply_high(bool is_signed, bool adds) {
  return [is_signed, adds](Emitter& e, const Instruction& i, Label&) {
    for (unsigned n = 0; n < 4; ++n) {
      widened(e, i, is_signed, n);
      e.vector_immediate(op::shift64, k512, kShiftRight, 0, 0U, 32);
      e.vector(op::narrow, k512, 0, 0, 0U);
      if (adds) e.vector(op::add32, k256, 0, 0, Emitter::eighth(i.operands[3], n));
      e.keep_eight32(0, Emitter::eighth(i.operands[0], n), n);
    }
  };
}

// Shift amounts are 32-bit.
Template shift(VectorCode code) {
  return [code](Emitter& e, const Instruction& i, Label&) {
    each(e, code, i.operands[0], [&](unsigned n) {
      if (code.wide == 0) {
        e.load_vector(0, Emitter::part(i.operands[1], n));
        e.vector(code, k512, 0, 0, Emitter::part(i.operands[2], n));
      } else {
        e.vector(op::widen_unsigned, k512, 1, 0, Emitter::eighth(i.operands[2], n));
        e.load_vector(0, Emitter::part(i.operands[1], n));
        e.vector(code, k512, 0, 0, 1U);
      }
    });
  };
}

// Bitwise logic does not depend on the element width: rows of one, two or four vectors.
template <class Emit>
Template logic(std::size_t bytes, Emit emit) {
  return [bytes, emit](Emitter& e, const Instruction& i, Label&) {
    const Operand to = i.operands[0];
    const auto body = [&](unsigned n) { emit(e, i, n); };
    if (bytes == 8) return each64(e, to, body);
    if (bytes == 4) return each32(e, to, body);
    body(0);
    e.keep16(0, Emitter::part(to, 0));
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
    const VectorCode sum = wide ? op::add64 : op::add32;
    const VectorCode difference = wide ? op::subtract64 : op::subtract32;
    const VectorCode product = wide ? op::multiply64 : op::multiply32;
    const std::uint8_t w = wide ? 1 : 0;
    add(known.integer, "add", type, binary(sum));
    add(known.integer, "sub", type, binary(difference));
    add(known.integer, "neg", type, negation(difference));
    add(known.integer, "mul.lo", type, binary(product));
    add(known.integer, "mad.lo", type, multiply_add(product, sum));
    add(known.integer, "min", type,
        binary({C::p66, C::m0F38, w, is_signed ? std::uint8_t{0x39} : std::uint8_t{0x3B}}));
    add(known.integer, "max", type,
        binary({C::p66, C::m0F38, w, is_signed ? std::uint8_t{0x3D} : std::uint8_t{0x3F}}));
    if (is_signed)
      add(known.integer, "abs", type,
          unary({C::p66, C::m0F38, w, wide ? std::uint8_t{0x1F} : std::uint8_t{0x1E}}));
    add(known.bits, "shl", type, shift({C::p66, C::m0F38, w, 0x47}));
    add(known.bits, "shr", type,
        shift({C::p66, C::m0F38, w, is_signed ? std::uint8_t{0x46} : std::uint8_t{0x45}}));
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
          shift({C::p66, C::m0F38, bytes == 8 ? std::uint8_t{1} : std::uint8_t{0}, 0x47}));
    const auto two = [&](const char* name, VectorCode code) {
      add(known.bits, name, type, logic(bytes, [code](Emitter& e, const Instruction& i, unsigned n) {
            e.load_vector(0, Emitter::part(i.operands[1], n));
            e.vector(code, k512, 0, 0, Emitter::part(i.operands[2], n));
          }));
    };
    two("and", op::and64);
    two("or", op::or64);
    two("xor", op::xor64);
    add(known.bits, "not", type, logic(bytes, [](Emitter& e, const Instruction& i, unsigned n) {
          e.load_vector(0, Emitter::part(i.operands[1], n));
          e.vector_immediate(op::ternary, k512, 0, 0, 0U, 0x0F);
        }));
    add(known.moves, "mov", type, logic(bytes, [](Emitter& e, const Instruction& i, unsigned n) {
          e.load_vector(0, Emitter::part(i.operands[1], n));
        }));
  }
}

}  // namespace warpmark::simulator::native
