// Integer and bit operations, moves and selections. Arithmetic wraps, so it is done on unsigned values.
#include <bit>
#include <type_traits>

#include "harness/simulator/operation_tables.h"
#include "harness/simulator/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
struct WiderOf;
template <>
struct WiderOf<std::int16_t> { using type = std::int32_t; };
template <>
struct WiderOf<std::uint16_t> { using type = std::uint32_t; };
template <>
struct WiderOf<std::int32_t> { using type = std::int64_t; };
template <>
struct WiderOf<std::uint32_t> { using type = std::uint64_t; };
template <>
struct WiderOf<std::int64_t> { using type = __int128; };
template <>
struct WiderOf<std::uint64_t> { using type = unsigned __int128; };
template <class T>
using Wider = typename WiderOf<T>::type;

// Products of 16-bit values would overflow int after promotion; 64 bits hold them all modulo 2^64.
template <class T>
T wrapped(std::uint64_t value) { return static_cast<T>(value); }
template <class T>
std::uint64_t bits(T value) { return static_cast<std::uint64_t>(value); }

struct Add { template <class T> static T apply(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)); } };
struct Subtract { template <class T> static T apply(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)); } };
struct MultiplyLow {
  template <class T> static T apply(T a, T b) {
    if constexpr (sizeof(T) == 2) return wrapped<T>(bits(a) * bits(b));
    else return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
  }
};
struct MultiplyHigh {
  template <class T> static T apply(T a, T b) {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
  }
};
template <class T>
struct MultiplyWide { static Wider<T> apply(T a, T b) { return static_cast<Wider<T>>(static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)); } };
struct MadLow { template <class T> static T apply(T a, T b, T c) { return Add::apply<T>(MultiplyLow::apply<T>(a, b), c); } };
struct MadHigh { template <class T> static T apply(T a, T b, T c) { return Add::apply<T>(MultiplyHigh::apply<T>(a, b), c); } };
template <class T>
struct MadWide { static Wider<T> apply(T a, T b, Wider<T> c) { return Add::apply<Wider<T>>(MultiplyWide<T>::apply(a, b), c); } };
// Division by zero does not trap on a GPU: it gives all ones, and the remainder is the dividend.
struct Divide {
  template <class T> static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) { if (b == -1) return Subtract::apply<T>(0, a); }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T> static T apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) { if (b == -1) return 0; }
    return static_cast<T>(a % b);
  }
};
struct Minimum { template <class T> static T apply(T a, T b) { return b < a ? b : a; } };
struct Maximum { template <class T> static T apply(T a, T b) { return a < b ? b : a; } };
struct Negate { template <class T> static T apply(T a) { return Subtract::apply<T>(0, a); } };
struct Absolute { template <class T> static T apply(T a) { return a < 0 ? Negate::apply<T>(a) : a; } };
struct SumOfDifferences { template <class T> static T apply(T a, T b, T c) { return Add::apply<T>(c, a < b ? Subtract::apply<T>(b, a) : Subtract::apply<T>(a, b)); } };

struct And { template <class T> static T apply(T a, T b) { return static_cast<T>(a & b); } };
struct Or { template <class T> static T apply(T a, T b) { return static_cast<T>(a | b); } };
struct Xor { template <class T> static T apply(T a, T b) { return static_cast<T>(a ^ b); } };
struct Not { template <class T> static T apply(T a) { return static_cast<T>(~a); } };
struct IsZero { template <class T> static T apply(T a) { return a == 0 ? 1 : 0; } };
struct Same { template <class T> static T apply(T a) { return a; } };
// Amounts beyond the width shift everything out.
struct ShiftLeft {
  template <class T> static T apply(T a, std::uint32_t n) {
    const unsigned width = 8 * sizeof(T);
    return n < width ? static_cast<T>(static_cast<Unsigned<T>>(a) << (n & (width - 1))) : static_cast<T>(0);
  }
};
struct ShiftRight {
  template <class T> static T apply(T a, std::uint32_t n) {
    const unsigned width = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (n < width ? n : width - 1));
    else return n < width ? static_cast<T>(a >> (n & (width - 1))) : static_cast<T>(0);
  }
};
struct PopulationCount { template <class T> static std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::popcount(a)); } };
struct LeadingZeros { template <class T> static std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::countl_zero(a)); } };
struct ReverseBits {
  template <class T> static T apply(T a) {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i) result = static_cast<T>(result << 1 | ((a >> i) & 1));
    return result;
  }
};
struct FindLeadingBit {  // bfind: position of the highest bit that is not a sign bit, or all ones
  template <class T> static std::uint32_t apply(T a) {
    if constexpr (std::is_signed_v<T>) { if (a < 0) a = static_cast<T>(~a); }
    return a == 0 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(std::bit_width(static_cast<Unsigned<T>>(a)) - 1);
  }
};
struct ExtractField {
  template <class T> static T apply(T a, std::uint32_t from, std::uint32_t length) {
    constexpr unsigned width = 8 * sizeof(T);
    from &= 0xFF;
    length &= 0xFF;
    if (length == 0) return 0;
    using U = Unsigned<T>;
    const unsigned last = from + length - 1 < width - 1 ? from + length - 1 : width - 1;
    const bool sign = std::is_signed_v<T> && ((static_cast<U>(a) >> last) & 1) != 0;
    U result = from < width ? static_cast<U>(static_cast<U>(a) >> from) : U{0};
    const unsigned kept = from <= last ? last - from + 1 : 0;
    const U mask = kept >= width ? static_cast<U>(~U{0}) : static_cast<U>((U{1} << kept) - 1);
    return static_cast<T>(sign ? static_cast<U>(result | ~mask) : static_cast<U>(result & mask));
  }
};
struct InsertField {
  template <class T> static T apply(T a, T b, std::uint32_t at, std::uint32_t length) {
    constexpr unsigned width = 8 * sizeof(T);
    at &= 0xFF;
    length &= 0xFF;
    if (at >= width || length == 0) return b;
    T mask = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    mask = static_cast<T>(mask << at);
    return static_cast<T>((b & ~mask) | ((a << at) & mask));
  }
};
struct PermuteBytes {  // prmt, default mode
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    const std::uint64_t all = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t pick = (selector >> (4 * i)) & 0xF;
      std::uint32_t byte = static_cast<std::uint32_t>(all >> (8 * (pick & 7))) & 0xFF;
      if ((pick & 8) != 0) byte = (byte & 0x80) != 0 ? 0xFF : 0;
      result |= byte << (8 * i);
    }
    return result;
  }
};
template <bool kLeft, bool kWrap>
struct FunnelShift {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t n) {
    n = kWrap ? n & 31 : (n < 32 ? n : 32);
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    return static_cast<std::uint32_t>(kLeft ? (both << n) >> 32 : both >> n);
  }
};
struct Logic3 {  // lop3: the table's bit for each of the 8 combinations
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if ((table >> i & 1) == 0) continue;
      result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
    }
    return result;
  }
};

template <class Op> Operation unary(Type t) { return for_integer(t, []<class T>() { return fast<Op, T, T>(); }); }
template <class Op> Operation binary(Type t) { return for_integer(t, []<class T>() { return fast<Op, T, T, T>(); }); }
template <class Op> Operation division(Type t) { return for_integer(t, []<class T>() { return slow<Op, T, T, T>(); }); }
template <class Op> Operation ternary(Type t) { return for_integer(t, []<class T>() { return fast<Op, T, T, T, T>(); }); }
template <class Op> Operation bit_unary(Type t) { return for_bits(t, []<class T>() { return fast<Op, T, T>(); }); }
template <class Op> Operation bit_binary(Type t) { return for_bits(t, []<class T>() { return fast<Op, T, T, T>(); }); }
template <class Op> Operation count_of(Type t) { return for_wide_bits(t, []<class T>() { return slow<Op, std::uint32_t, T>(); }); }
template <class Op> Operation shift(Type t) {
  Operation plain = for_integer(t, []<class T>() { return fast<Op, T, T, std::uint32_t>(); });
  return plain.handler != nullptr ? plain : for_bits(t, []<class T>() { return fast<Op, T, T, std::uint32_t>(); });
}
template <template <class> class Op> Operation widening(Type t) {
  if (size_of(t) == 8) return {};
  return for_integer(t, []<class T>() -> Operation {
    if constexpr (sizeof(T) < 8) return fast<Op<T>, Wider<T>, T, T>();
    else return {};
  });
}
Operation mad_wide(Type t) {
  return for_integer(t, []<class T>() -> Operation {
    if constexpr (sizeof(T) < 8) return fast<MadWide<T>, Wider<T>, T, T, Wider<T>>();
    else return {};
  });
}
template <class Op> Operation word3(Type t) {
  return t == Type::b32 ? fast<Op, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>() : Operation{};
}
Operation logic3(Type t) {
  using U = std::uint32_t;
  return t == Type::b32 ? slow<Logic3, U, U, U, U, U>() : Operation{};
}
Operation move(Type t) {
  switch (size_of(t)) {
    case 2: return fast<Same, std::uint16_t, std::uint16_t>();
    case 4: return fast<Same, std::uint32_t, std::uint32_t>();
    case 8: return fast<Same, std::uint64_t, std::uint64_t>();
    default: return {};
  }
}
Operation field(Type t) {
  if (size_of(t) == 2) return {};
  return for_integer(t, []<class T>() { return slow<ExtractField, T, T, std::uint32_t, std::uint32_t>(); });
}
Operation insert_field(Type t) {
  return for_wide_bits(t, []<class T>() { return slow<InsertField, T, T, T, std::uint32_t, std::uint32_t>(); });
}
Operation leading_bit(Type t) {
  if (size_of(t) == 2) return {};
  return for_integer(t, []<class T>() { return slow<FindLeadingBit, std::uint32_t, T>(); });
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
    case 2: return {&select<std::uint16_t>, {2, 2, 2, 0}, 4};
    case 4: return {&select<std::uint32_t>, {4, 4, 4, 0}, 4};
    case 8: return {&select<std::uint64_t>, {8, 8, 8, 0}, 4};
    default: return {};
  }
}

template <class Op>
void predicates(Context& c, const Instruction& i) {
  const auto source = [&](std::size_t n) { return *c.read<std::uint32_t>(i.operands[n]) ^ ((i.detail >> n & 1) != 0 ? kAllLanes : 0); };
  auto* d = c.write<std::uint32_t>(i.operands[0]);
  *d = (*d & ~c.mask) | (Op::combine(source) & c.mask);
}
struct PredicateMove { template <class S> static std::uint32_t combine(S s) { return s(1); } };
struct PredicateNot { template <class S> static std::uint32_t combine(S s) { return ~s(1); } };
struct PredicateAnd { template <class S> static std::uint32_t combine(S s) { return s(1) & s(2); } };
struct PredicateOr { template <class S> static std::uint32_t combine(S s) { return s(1) | s(2); } };
struct PredicateXor { template <class S> static std::uint32_t combine(S s) { return s(1) ^ s(2); } };
Operation on_predicates(std::string_view name) {
  if (name == "mov") return {&predicates<PredicateMove>, {0, 0}, 2};
  if (name == "not") return {&predicates<PredicateNot>, {0, 0}, 2};
  if (name == "and") return {&predicates<PredicateAnd>, {0, 0, 0}, 3};
  if (name == "or") return {&predicates<PredicateOr>, {0, 0, 0}, 3};
  if (name == "xor") return {&predicates<PredicateXor>, {0, 0, 0}, 3};
  return {};
}

constexpr Row kRows[] = {
    {"mov", move},
    {"add", binary<Add>},
    {"sub", binary<Subtract>},
    {"mul.lo", binary<MultiplyLow>},
    {"mul.hi", binary<MultiplyHigh>},
    {"mul.wide", widening<MultiplyWide>},
    {"mad.lo", ternary<MadLow>},
    {"mad.hi", ternary<MadHigh>},
    {"mad.wide", mad_wide},
    {"sad", ternary<SumOfDifferences>},
    {"div", division<Divide>},
    {"rem", division<Remainder>},
    {"min", binary<Minimum>},
    {"max", binary<Maximum>},
    {"neg", unary<Negate>},
    {"abs", unary<Absolute>},
    {"and", bit_binary<And>},
    {"or", bit_binary<Or>},
    {"xor", bit_binary<Xor>},
    {"not", bit_unary<Not>},
    {"cnot", bit_unary<IsZero>},
    {"shl", shift<ShiftLeft>},
    {"shr", shift<ShiftRight>},
    {"popc", count_of<PopulationCount>},
    {"clz", count_of<LeadingZeros>},
    {"bfind", leading_bit},
    {"brev", [](Type t) { return for_wide_bits(t, []<class T>() { return slow<ReverseBits, T, T>(); }); }},
    {"bfe", field},
    {"bfi", insert_field},
    {"prmt", word3<PermuteBytes>},
    {"shf.l.wrap", word3<FunnelShift<true, true>>},
    {"shf.r.wrap", word3<FunnelShift<false, true>>},
    {"shf.l.clamp", word3<FunnelShift<true, false>>},
    {"shf.r.clamp", word3<FunnelShift<false, false>>},
    {"lop3", logic3},
    {"selp", selection},
};

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
      if (i.operands[n] != kNoOperand) c.write<Part>(i.operands[n])[lane] = static_cast<Part>(whole >> (8 * sizeof(Part) * n));
    }
  });
}

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

Operation integer_operation(const Mnemonic& mnemonic) {
  if (mnemonic.type() == Type::pred) return on_predicates(mnemonic.name);
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
