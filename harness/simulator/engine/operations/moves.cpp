// Handlers of moves, selections (selp) and logic on predicates.

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

struct Same {
  template <class T>
  static T apply(T a) {
    return a;
  }
};

Operation move(Type t) {
  switch (size_of(t)) {
    case 2:
      return fast<Same, std::uint16_t, std::uint16_t>();
    case 4:
      return fast<Same, std::uint32_t, std::uint32_t>();
    case 8:
      return fast<Same, std::uint64_t, std::uint64_t>();
    default:
      return {};
  }
}

template <class T>
void select(Context& c, const Instruction& i) {
  const T* a = aligned(c.read<T>(i.operands[1]));
  const T* b = aligned(c.read<T>(i.operands[2]));
  const std::uint32_t chosen = *c.read<std::uint32_t>(i.operands[3]) ^ (i.detail != 0 ? kAllLanes : 0);
  alignas(64) T result[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) result[lane] = b[lane];
  blend(result, a, chosen);
  blend(aligned(c.write<T>(i.operands[0])), result, c.mask);
}
Operation selection(Type t) {
  switch (size_of(t)) {
    case 2:
      return {&select<std::uint16_t>, {2, 2, 2, 0}, 4};
    case 4:
      return {&select<std::uint32_t>, {4, 4, 4, 0}, 4};
    case 8:
      return {&select<std::uint64_t>, {8, 8, 8, 0}, 4};
    default:
      return {};
  }
}

template <class Op>
void predicates(Context& c, const Instruction& i) {
  const auto source = [&](std::size_t n) {
    return *c.read<std::uint32_t>(i.operands[n]) ^ ((i.detail >> n & 1) != 0 ? kAllLanes : 0);
  };
  auto* d = c.write<std::uint32_t>(i.operands[0]);
  *d = (*d & ~c.mask) | (Op::combine(source) & c.mask);
}
struct PredicateMove {
  template <class S>
  static std::uint32_t combine(S s) {
    return s(1);
  }
};
struct PredicateNot {
  template <class S>
  static std::uint32_t combine(S s) {
    return ~s(1);
  }
};
struct PredicateAnd {
  template <class S>
  static std::uint32_t combine(S s) {
    return s(1) & s(2);
  }
};
struct PredicateOr {
  template <class S>
  static std::uint32_t combine(S s) {
    return s(1) | s(2);
  }
};
struct PredicateXor {
  template <class S>
  static std::uint32_t combine(S s) {
    return s(1) ^ s(2);
  }
};
Operation on_predicates(std::string_view name) {
  if (name == "mov") return {&predicates<PredicateMove>, {0, 0}, 2};
  if (name == "not") return {&predicates<PredicateNot>, {0, 0}, 2};
  if (name == "and") return {&predicates<PredicateAnd>, {0, 0, 0}, 3};
  if (name == "or") return {&predicates<PredicateOr>, {0, 0, 0}, 3};
  if (name == "xor") return {&predicates<PredicateXor>, {0, 0, 0}, 3};
  return {};
}

template <class Whole, class Part>
void pack(Context& c, const Instruction& i) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  Whole* d = c.write<Whole>(i.operands[kAddressOperand]);
  for_each_lane(c.mask, [&](unsigned lane) {
    Whole whole = 0;
    for (unsigned n = 0; n < parts; ++n) {
      whole |= static_cast<Whole>(Whole{c.read<Part>(i.operands[n])[lane]} << (8 * sizeof(Part) * n));
    }
    d[lane] = whole;
  });
}
template <class Whole, class Part>
void unpack(Context& c, const Instruction& i) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  const Whole* s = c.read<Whole>(i.operands[kAddressOperand]);
  for_each_lane(c.mask, [&](unsigned lane) {
    const Whole whole = s[lane];
    for (unsigned n = 0; n < parts; ++n) {
      if (i.operands[n] != kNoOperand)
        c.write<Part>(i.operands[n])[lane] = static_cast<Part>(whole >> (8 * sizeof(Part) * n));
    }
  });
}

constexpr Row kRows[] = {
    {"mov", move},
    {"selp", selection},
};

}  // namespace

Handler pack_handler(const Move& move) {
  if (size_of(move.memory) == 8 && move.register_bytes == 4) return &pack<std::uint64_t, std::uint32_t>;
  if (size_of(move.memory) == 8 && move.register_bytes == 2) return &pack<std::uint64_t, std::uint16_t>;
  if (size_of(move.memory) == 4 && move.register_bytes == 2) return &pack<std::uint32_t, std::uint16_t>;
  return nullptr;
}
Handler unpack_handler(const Move& move) {
  if (size_of(move.memory) == 8 && move.register_bytes == 4) return &unpack<std::uint64_t, std::uint32_t>;
  if (size_of(move.memory) == 8 && move.register_bytes == 2) return &unpack<std::uint64_t, std::uint16_t>;
  if (size_of(move.memory) == 4 && move.register_bytes == 2) return &unpack<std::uint32_t, std::uint16_t>;
  return nullptr;
}

Operation move_operation(const Mnemonic& mnemonic) {
  if (mnemonic.type() == Type::pred) return on_predicates(mnemonic.name);
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
