// Handlers of setp, which compares into a predicate (optionally combined with another predicate), and set,
// which compares into a number.
#include <cmath>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

// Comparisons as PTX defines them: if an operand is NaN, ordered comparisons are false and unordered ones
// true.
struct Equal {
  template <class T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <class T>
  static bool apply(T a, T b) {
    return a < b || a > b;
  }
};
struct Less {
  template <class T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <class T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <class T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <class T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
struct Numbers {
  template <class T>
  static bool apply(T a, T b) {
    return a <= b || a > b;
  }
};
template <class Op>
struct Opposite {
  template <class T>
  static bool apply(T a, T b) {
    return !Op::apply(a, b);
  }
};

template <class Op, class T>
void set_predicate(Context& c, const Instruction& i) {
  const T* a = aligned(c.read<T>(i.operands[1]));
  const T* b = aligned(c.read<T>(i.operands[2]));
  alignas(64) std::uint32_t words[kLanes];
  std::uint32_t holds = 0;
  if (is_one_lane(c.mask)) {
    const auto lane = static_cast<unsigned>(std::countr_zero(c.mask));
    holds = Op::apply(a[lane], b[lane]) ? c.mask : 0;
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) words[lane] = Op::apply(a[lane], b[lane]) ? kAllLanes : 0;
    holds = pack_mask(words);
  }
  std::uint32_t other = i.operands[3] == kNoOperand ? 0 : *c.read<std::uint32_t>(i.operands[3]);
  if ((i.detail & kCombineNegated) != 0) other = ~other;
  const auto combined = [&](std::uint32_t value) {
    switch (i.detail & kCombineMask) {
      case kCombineAnd:
        return value & other;
      case kCombineOr:
        return value | other;
      case kCombineXor:
        return value ^ other;
      default:
        return value;
    }
  };
  const auto write = [&](Operand operand, std::uint32_t value) {
    auto* d = c.write<std::uint32_t>(operand);
    *d = (*d & ~c.mask) | (value & c.mask);
  };
  if (i.operands[0] != kNoOperand) write(i.operands[0], combined(holds));
  if (i.operands[kPredicateOperand] != kNoOperand) write(i.operands[kPredicateOperand], combined(~holds));
}

template <class Op, class D>
struct AsNumber {  // result of set if the comparison holds: all ones for integers, 1.0 for f32
  template <class T>
  static D apply(T a, T b) {
    if (!Op::apply(a, b)) return D{0};
    return std::is_floating_point_v<D> ? D{1} : static_cast<D>(-1);
  }
};

template <class T>
constexpr std::uint8_t kBytes = sizeof(T);

template <class Op, class T>
Operation comparison(Type to) {
  switch (to) {
    case Type::pred:
      return {&set_predicate<Op, T>, {0, kBytes<T>, kBytes<T>}, 3};
    case Type::u32:
    case Type::s32:
      return slow<AsNumber<Op, std::int32_t>, std::int32_t, T, T>();
    case Type::f32:
      return slow<AsNumber<Op, float>, float, T, T>();
    default:
      return {};
  }
}

template <class Op>
Operation on_integers(Type to, Type from) {
  switch (from) {
    case Type::s16:
      return comparison<Op, std::int16_t>(to);
    case Type::b16:
    case Type::u16:
      return comparison<Op, std::uint16_t>(to);
    case Type::s32:
      return comparison<Op, std::int32_t>(to);
    case Type::b32:
    case Type::u32:
      return comparison<Op, std::uint32_t>(to);
    case Type::s64:
      return comparison<Op, std::int64_t>(to);
    case Type::b64:
    case Type::u64:
      return comparison<Op, std::uint64_t>(to);
    default:
      return {};
  }
}
template <class Op>
Operation on_reals(Type to, Type from) {
  switch (from) {
    case Type::f32:
      return comparison<Op, float>(to);
    case Type::f64:
      return comparison<Op, double>(to);
    default:
      return {};
  }
}

struct Relation {
  std::string_view name;
  Operation (*integers)(Type to, Type from);
  Operation (*reals)(Type to, Type from);
};
// PTX comparison names and their functors. lo, ls, hi, hs compare unsigned integers as lt, le, gt, ge do
// signed ones.
constexpr Relation kRelations[] = {
    {"eq", on_integers<Equal>, on_reals<Equal>},
    {"ne", on_integers<Opposite<Equal>>, on_reals<NotEqual>},
    {"lt", on_integers<Less>, on_reals<Less>},
    {"le", on_integers<LessEqual>, on_reals<LessEqual>},
    {"gt", on_integers<Greater>, on_reals<Greater>},
    {"ge", on_integers<GreaterEqual>, on_reals<GreaterEqual>},
    {"lo", on_integers<Less>, nullptr},
    {"ls", on_integers<LessEqual>, nullptr},
    {"hi", on_integers<Greater>, nullptr},
    {"hs", on_integers<GreaterEqual>, nullptr},
    {"equ", nullptr, on_reals<Opposite<NotEqual>>},
    {"neu", nullptr, on_reals<Opposite<Equal>>},
    {"ltu", nullptr, on_reals<Opposite<GreaterEqual>>},
    {"leu", nullptr, on_reals<Opposite<Greater>>},
    {"gtu", nullptr, on_reals<Opposite<LessEqual>>},
    {"geu", nullptr, on_reals<Opposite<Less>>},
    {"num", nullptr, on_reals<Numbers>},
    {"nan", nullptr, on_reals<Opposite<Numbers>>},
};

}  // namespace

// Returns the handler for a mnemonic such as setp.lt.s32 or set.lt.u32.s32. The decoder resolves the forms
// that combine the result with a predicate.
Operation compare_operation(const Mnemonic& mnemonic) {
  const std::size_t dot = mnemonic.name.find('.');
  const std::string_view base = mnemonic.name.substr(0, dot);
  if (dot == std::string_view::npos || (base != "setp" && base != "set")) return {};
  const Type to = base == "setp" ? Type::pred : mnemonic.type(0);
  const Type from = mnemonic.type(base == "setp" ? 0 : 1);
  for (const Relation& relation : kRelations) {
    if (relation.name != mnemonic.name.substr(dot + 1)) continue;
    const bool real = from == Type::f32 || from == Type::f64;
    const auto pick = real ? relation.reals : relation.integers;
    return pick == nullptr ? Operation{} : pick(to, from);
  }
  return {};
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
