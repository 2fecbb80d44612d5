// Templates of comparisons, predicates and selections, and of loads of kernel parameters and frame variables.
#include <array>
#include <limits>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

using ptx::Type;
using C = VectorCode;

// Leaves the lanes for which the comparison holds in rax. Overwrites rcx.
void compare(Emitter& e, const VectorCode& code, const Instruction& i, std::uint8_t relation) {
  const auto one = [&](unsigned to, unsigned n) {
    e.load_vector(0, Emitter::part(i.operands[1], n));
    e.vector_immediate(code, k512, to, 0, Emitter::part(i.operands[2], n), relation);
  };
  if (code.wide == 0) {
    one(0, 0);
    one(Emitter::kFree, 1);
    e.mask_join(Emitter::kFree, Emitter::kFree, 0);
    e.mask_to(rax, Emitter::kFree, 32);
    return;
  }
  for (unsigned n = 0; n < 4; ++n) {
    one(0, n);
    e.mask_to(n == 0 ? rax : rcx, 0, 8);
    if (n == 0) continue;
    e.shift_left32(rcx, 8 * n);
    e.or32(rax, rcx);
  }
}

// Combines `value` with the third predicate, in rdx; leaves the result in rcx.
void combine(Emitter& e, std::uint8_t how) {
  switch (how & kCombineMask) {
    case kCombineAnd:
      return e.and32(rcx, rdx);
    case kCombineOr:
      return e.or32(rcx, rdx);
    case kCombineXor:
      return e.xor32(rcx, rdx);
    default:
      return;
  }
}

Template comparison(VectorCode code, std::uint8_t relation) {
  return [code, relation](Emitter& e, const Instruction& i, Label&) {
    compare(e, code, i, relation);
    const auto result = [&](Operand to, bool opposite) {
      if (to == kNoOperand) return;
      e.move(rcx, rax);
      if (opposite) e.not32(rcx);
      if ((i.detail & kCombineMask) != 0) {
        e.load32(rdx, Emitter::memory_of(i.operands[3]));
        if ((i.detail & kCombineNegated) != 0) e.not32(rdx);
        combine(e, i.detail);
      }
      e.keep_predicate(rcx, Emitter::memory_of(to));
    };
    // The second result also uses the third predicate's old value: if the first result would overwrite it,
    // compute the second one first.
    if (i.operands[3] != kNoOperand && i.operands[3] == i.operands[0] &&
        i.operands[kPredicateOperand] != kNoOperand) {
      result(i.operands[kPredicateOperand], true);
      result(i.operands[0], false);
    } else {
      result(i.operands[0], false);
      result(i.operands[kPredicateOperand], true);
    }
  };
}

Template selection(std::size_t bytes) {
  return [bytes](Emitter& e, const Instruction& i, Label&) {
    e.load32(rax, Emitter::memory_of(i.operands[3]));
    if (i.detail != 0) e.not32(rax);
    const auto choose = [&](const VectorCode& move, unsigned bits, unsigned n) {
      e.mask_from(Emitter::kFree, rax, bits);
      if (bits < 32) e.shift_right32(rax, bits);
      e.load_vector(0, Emitter::part(i.operands[2], n));
      e.vector(move, k512, 0, 0, Emitter::part(i.operands[1], n), {.mask = Emitter::kFree});
    };
    if (bytes == 8) return each64(e, i.operands[0], [&](unsigned n) { choose(op::move64, 8, n); });
    if (bytes == 4) return each32(e, i.operands[0], [&](unsigned n) { choose(op::move32, 16, n); });
    choose(op::move16, 32, 0);
    e.keep16(0, Emitter::part(i.operands[0], 0));
  };
}

using Combine = void (Assembler::*)(Register, Register);

Template on_predicates(bool negate, Combine combined) {
  return [negate, combined](Emitter& e, const Instruction& i, Label&) {
    const auto source = [&](Register to, unsigned n) {
      e.load32(to, Emitter::memory_of(i.operands[n]));
      if ((i.detail >> n & 1) != 0) e.not32(to);
    };
    source(rax, 1);
    if (negate) e.not32(rax);
    if (combined != nullptr) {
      source(rcx, 2);
      (e.*combined)(rax, rcx);
    }
    e.keep_predicate(rax, Emitter::memory_of(i.operands[0]));
  };
}

// Loads kernel parameters, which are the same for all lanes.
Template parameters(std::size_t bytes, unsigned count) {
  return [bytes, count](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() - 64) return e.jump(otherwise);
    e.load(rcx, in_context(&Context::parameters));
    for (unsigned n = 0; n < count; ++n) {
      if (i.operands[n] == kNoOperand) continue;
      const MemoryOperand from{rcx,
                               static_cast<std::int32_t>(i.offset + static_cast<std::int64_t>(n * bytes))};
      e.vector(bytes == 8 ? op::broadcast64 : op::broadcast32, k512, 1, 0, from);
      const auto same = [&](unsigned) { e.vector(op::move64, k512, 0, 0, 1U); };
      if (bytes == 8)
        each64(e, i.operands[n], same);
      else
        each32(e, i.operands[n], same);
    }
  };
}

// Loads frame variables: a row holds one word of each lane, the second word of a value is in the next row.
Template from_frame(std::size_t bytes) {
  return [bytes](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() / 2) return e.jump(otherwise);
    e.load(rcx, in_context(&Context::frame));
    const auto row = static_cast<std::int32_t>(i.offset);
    if (bytes == 4) {
      return each32(e, i.operands[0], [&](unsigned n) {
        e.load_vector(0, {rcx, row + static_cast<int>(64 * n)});
      });
    }
    each64(e, i.operands[0], [&](unsigned n) {
      const auto at = row + static_cast<int>(32 * n);
      e.vector(op::widen_unsigned, k512, 0, 0, MemoryOperand{rcx, at});
      e.vector(op::widen_unsigned, k512, 1, 0, MemoryOperand{rcx, at + static_cast<int>(kRowBytes)});
      e.vector_immediate(op::shift64, k512, kShiftLeft, 1, 1U, 32);
      e.vector(op::or64, k512, 0, 0, 1U);
    });
  };
}
Template to_frame(std::size_t bytes) {
  return [bytes](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() / 2) return e.jump(otherwise);
    e.load(rcx, in_context(&Context::frame));
    const auto row = static_cast<std::int32_t>(i.offset);
    if (bytes == 4) {
      for (unsigned n = 0; n < 2; ++n) {
        e.load_vector(0, Emitter::part(i.operands[0], n));
        e.keep32(0, {rcx, row + static_cast<int>(64 * n)}, n);
      }
      return;
    }
    for (unsigned n = 0; n < 4; ++n) {
      const auto at = row + static_cast<int>(32 * n);
      e.load_vector(0, Emitter::part(i.operands[0], n));
      e.vector(op::narrow, k512, 0, 0, 1U);
      e.keep_eight32(1, {rcx, at}, n);
      e.vector_immediate(op::shift64, k512, kShiftRight, 0, 0U, 32);
      e.vector(op::narrow, k512, 0, 0, 1U);
      e.keep_eight32(1, {rcx, at + static_cast<int>(kRowBytes)}, n);
    }
  };
}

struct Relation {
  const char* name;
  std::uint8_t integers;  // kNone: does not exist for integers
  std::uint8_t reals;
};
constexpr std::uint8_t kNone = 0xFF;
// Predicate immediates of the comparison instructions; those for floating point are the quiet ones.
constexpr Relation kRelations[] = {
    {"eq", 0, 0x00},      {"ne", 4, 0x0C},      {"lt", 1, 0x11},      {"le", 2, 0x12},
    {"gt", 6, 0x1E},      {"ge", 5, 0x1D},      {"equ", kNone, 0x08}, {"neu", kNone, 0x04},
    {"ltu", kNone, 0x19}, {"leu", kNone, 0x1A}, {"gtu", kNone, 0x16}, {"geu", kNone, 0x15},
    {"num", kNone, 0x07}, {"nan", kNone, 0x03},
};

void add_comparisons(Templates& all) {
  const auto add = [&](const char* relation, Type type, VectorCode code, std::uint8_t number) {
    const std::array<Type, 1> types{type};
    const std::string name = std::string("setp.") + relation;
    const Handler handler = operations().compare({name, types}).handler;
    if (handler != nullptr && number != kNone) all[handler] = comparison(code, number);
  };
  for (const Relation& relation : kRelations) {
    add(relation.name, Type::s32, op::compare_signed32, relation.integers);
    add(relation.name, Type::u32, op::compare_unsigned32, relation.integers);
    add(relation.name, Type::b32, op::compare_unsigned32, relation.integers);
    add(relation.name, Type::s64, op::compare_signed64, relation.integers);
    add(relation.name, Type::u64, op::compare_unsigned64, relation.integers);
    add(relation.name, Type::b64, op::compare_unsigned64, relation.integers);
    add(relation.name, Type::f32, {C::none, C::m0F, 0, 0xC2}, relation.reals);
    add(relation.name, Type::f64, {C::p66, C::m0F, 1, 0xC2}, relation.reals);
  }
}

}  // namespace

void add_choice_templates(Templates& all) {
  const Operations& known = operations();
  add_comparisons(all);
  for (const Type type : {Type::b16, Type::b32, Type::b64}) {
    const std::array<Type, 1> types{type};
    if (const Handler handler = known.moves({"selp", types}).handler; handler != nullptr)
      all[handler] = selection(size_of(type));
  }
  const std::array<Type, 1> predicate{Type::pred};
  all[known.moves({"mov", predicate}).handler] = on_predicates(false, nullptr);
  all[known.moves({"not", predicate}).handler] = on_predicates(true, nullptr);
  all[known.moves({"and", predicate}).handler] = on_predicates(false, &Assembler::and32);
  all[known.moves({"or", predicate}).handler] = on_predicates(false, &Assembler::or32);
  all[known.moves({"xor", predicate}).handler] = on_predicates(false, &Assembler::xor32);
  for (const Type type : {Type::b32, Type::b64}) {
    const std::size_t bytes = size_of(type);
    for (const unsigned count : {1U, 2U, 4U}) {
      const Move move{.memory = type, .register_bytes = bytes, .vector = count};
      if (const Handler handler = known.load_parameter(move); handler != nullptr)
        all[handler] = parameters(bytes, count);
    }
    const Move move{.memory = type, .register_bytes = bytes};
    all[known.load_frame(move)] = from_frame(bytes);
    all[known.store_frame(move)] = to_frame(bytes);
  }
}

}  // namespace warpmark::simulator::native
