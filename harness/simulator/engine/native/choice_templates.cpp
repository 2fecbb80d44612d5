// Machine-code templates for comparisons, predicates and selections, and for loads of kernel parameters and
// frame variables.
#include <array>
#include <limits>
#include <utility>

#include "harness/simulator/engine/native/templates.h"
#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::native {
namespace {

using ptx::Type;

using Compare = void (Xbyak::CodeGenerator::*)(const Xbyak::Opmask&, const Xbyak::Xmm&, const Xbyak::Operand&,
                                               std::uint8_t);

// Emits a comparison. The generated code leaves a bit mask of the lanes for which it holds in eax and
// overwrites ecx.
void compare(Emitter& e, Compare code, bool wide, const Instruction& i, std::uint8_t relation) {
  const auto one = [&](const Xbyak::Opmask& to, unsigned n) {
    e.vmovdqu64(zmm0, e.in(i.operands[1], n));
    (e.*code)(to, zmm0, e.in(i.operands[2], n), relation);
  };
  if (!wide) {
    one(k0, 0);
    one(k7, 1);
    e.kunpckwd(k7, k7, k0);
    return e.kmovd(eax, k7);
  }
  for (unsigned n = 0; n < 4; ++n) {
    one(k0, n);
    e.kmovb(n == 0 ? eax : ecx, k0);
    if (n == 0) continue;
    e.shl(ecx, static_cast<int>(8 * n));
    e.or_(eax, ecx);
  }
}

// Emits code that combines the lane mask in ecx, the comparison's result, with setp's third predicate, a lane
// mask in edx; the result is in ecx.
void combine(Emitter& e, std::uint8_t how) {
  switch (how & kCombineMask) {
    case kCombineAnd:
      return e.and_(ecx, edx);
    case kCombineOr:
      return e.or_(ecx, edx);
    case kCombineXor:
      return e.xor_(ecx, edx);
    default:
      return;
  }
}

Template comparison(Compare code, bool wide, std::uint8_t relation) {
  return [=](Emitter& e, const Instruction& i, Label&) {
    compare(e, code, wide, i, relation);
    const auto result = [&](Operand to, bool opposite) {
      if (to == kNoOperand) return;
      e.mov(ecx, eax);
      if (opposite) e.not_(ecx);
      if ((i.detail & kCombineMask) != 0) {
        e.mov(edx, Emitter::memory_of(i.operands[3]));
        if ((i.detail & kCombineNegated) != 0) e.not_(edx);
        combine(e, i.detail);
      }
      e.keep_predicate(ecx, Emitter::memory_of(to));
    };
    // setp's second result also uses the third predicate's old value: if the first result would overwrite
    // that predicate, computes the second result first.
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
    e.mov(eax, Emitter::memory_of(i.operands[3]));
    if (i.detail != 0) e.not_(eax);
    const auto choose = [&](Unary move, unsigned n) {
      e.vmovdqu64(zmm0, e.in(i.operands[2], n));
      (e.*move)(zmm0 | k7, e.in(i.operands[1], n));
    };
    if (bytes == 8) {
      return each64(e, i.operands[0], [&](unsigned n) {
        e.kmovb(k7, eax);
        e.shr(eax, 8);
        choose(&Emitter::vmovdqa64, n);
      });
    }
    if (bytes == 4) {
      return each32(e, i.operands[0], [&](unsigned n) {
        e.kmovw(k7, eax);
        e.shr(eax, 16);
        choose(&Emitter::vmovdqa32, n);
      });
    }
    e.kmovd(k7, eax);
    choose(&Emitter::vmovdqu16, 0);
    e.keep16(zmm0, i.operands[0]);
  };
}

using Combine = void (Xbyak::CodeGenerator::*)(const Xbyak::Operand&, const Xbyak::Operand&);

Template on_predicates(bool negate, Combine combined) {
  return [negate, combined](Emitter& e, const Instruction& i, Label&) {
    const auto source = [&](const Xbyak::Reg32& to, unsigned n) {
      e.mov(to, Emitter::memory_of(i.operands[n]));
      if ((i.detail >> n & 1) != 0) e.not_(to);
    };
    source(eax, 1);
    if (negate) e.not_(eax);
    if (combined != nullptr) {
      source(ecx, 2);
      (e.*combined)(eax, ecx);
    }
    e.keep_predicate(eax, Emitter::memory_of(i.operands[0]));
  };
}

// Returns the machine-code template for loads of kernel parameters, which are the same for all lanes.
Template parameters(std::size_t bytes, unsigned count) {
  return [bytes, count](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() - 64) return e.jmp(otherwise);
    e.mov(rcx, ptr[in_context(&Context::parameters)]);
    for (unsigned n = 0; n < count; ++n) {
      if (i.operands[n] == kNoOperand) continue;
      const Xbyak::Address from = ptr[rcx + (static_cast<std::size_t>(i.offset) + n * bytes)];
      const auto same = [&](unsigned) { e.vmovdqa64(zmm0, zmm1); };
      if (bytes == 8) {
        e.vpbroadcastq(zmm1, from);
        each64(e, i.operands[n], same);
      } else {
        e.vpbroadcastd(zmm1, from);
        each32(e, i.operands[n], same);
      }
    }
  };
}

// Returns the machine-code template for loads from the function's stack frame. A row holds one 4-byte word
// per lane; the second word of an 8-byte value is in the next row.
Template from_frame(std::size_t bytes) {
  return [bytes](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() / 2) return e.jmp(otherwise);
    e.mov(rcx, ptr[in_context(&Context::frame)]);
    const auto at = [&](std::size_t offset) {
      return ptr[rcx + (static_cast<std::size_t>(i.offset) + offset)];
    };
    if (bytes == 4) return each32(e, i.operands[0], [&](unsigned n) { e.vmovdqu64(zmm0, at(64 * n)); });
    each64(e, i.operands[0], [&](unsigned n) {
      e.vpmovzxdq(zmm0, at(32 * n));
      e.vpmovzxdq(zmm1, at(32 * n + kRowBytes));
      e.vpsllq(zmm1, zmm1, 32);
      e.vporq(zmm0, zmm0, zmm1);
    });
  };
}
Template to_frame(std::size_t bytes) {
  return [bytes](Emitter& e, const Instruction& i, Label& otherwise) {
    if (i.offset < 0 || i.offset > std::numeric_limits<std::int32_t>::max() / 2) return e.jmp(otherwise);
    e.mov(rcx, ptr[in_context(&Context::frame)]);
    const auto at = [&](std::size_t offset) {
      return ptr[rcx + (static_cast<std::size_t>(i.offset) + offset)];
    };
    if (bytes == 4) {
      for (unsigned n = 0; n < 2; ++n) {
        e.vmovdqu64(zmm0, e.in(i.operands[0], n));
        e.store32(zmm0, at(64 * n), n);
      }
      return;
    }
    for (unsigned n = 0; n < 4; ++n) {
      e.vmovdqu64(zmm0, e.in(i.operands[0], n));
      e.vpmovqd(ymm1, zmm0);
      e.store_eight32(ymm1, at(32 * n), n);
      e.vpsrlq(zmm0, zmm0, 32);
      e.vpmovqd(ymm1, zmm0);
      e.store_eight32(ymm1, at(32 * n + kRowBytes), n);
    }
  };
}

struct Relation {
  const char* name;
  std::uint8_t integers;  // immediate of x86's vpcmp; kNone: the comparison does not exist for integers
  std::uint8_t reals;
};
constexpr std::uint8_t kNone = 0xFF;
// Comparison immediates of x86's vpcmp and vcmp instructions; those for floating point are the quiet ones.
constexpr Relation kRelations[] = {
    {"eq", 0, 0x00},      {"ne", 4, 0x0C},      {"lt", 1, 0x11},      {"le", 2, 0x12},
    {"gt", 6, 0x1E},      {"ge", 5, 0x1D},      {"equ", kNone, 0x08}, {"neu", kNone, 0x04},
    {"ltu", kNone, 0x19}, {"leu", kNone, 0x1A}, {"gtu", kNone, 0x16}, {"geu", kNone, 0x15},
    {"num", kNone, 0x07}, {"nan", kNone, 0x03},
};

void add_comparisons(Templates& all) {
  const auto add = [&](const char* relation, Type type, Compare code, std::uint8_t number) {
    const std::array<Type, 1> types{type};
    const std::string name = std::string("setp.") + relation;
    const Handler handler = operations().compare({name, types}).handler;
    if (handler != nullptr && number != kNone) all[handler] = comparison(code, size_of(type) == 8, number);
  };
  for (const Relation& relation : kRelations) {
    add(relation.name, Type::s32, &Emitter::vpcmpd, relation.integers);
    add(relation.name, Type::u32, &Emitter::vpcmpud, relation.integers);
    add(relation.name, Type::b32, &Emitter::vpcmpud, relation.integers);
    add(relation.name, Type::s64, &Emitter::vpcmpq, relation.integers);
    add(relation.name, Type::u64, &Emitter::vpcmpuq, relation.integers);
    add(relation.name, Type::b64, &Emitter::vpcmpuq, relation.integers);
    add(relation.name, Type::f32, &Emitter::vcmpps, relation.reals);
    add(relation.name, Type::f64, &Emitter::vcmppd, relation.reals);
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
  all[known.moves({"and", predicate}).handler] = on_predicates(false, &Emitter::and_);
  all[known.moves({"or", predicate}).handler] = on_predicates(false, &Emitter::or_);
  all[known.moves({"xor", predicate}).handler] = on_predicates(false, &Emitter::xor_);
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
