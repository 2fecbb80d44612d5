// Handlers of logic, shift, bit-counting and bit-field instructions.
#include <bit>
#include <type_traits>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

template <class T>
using Unsigned = std::make_unsigned_t<T>;

struct And {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T apply(T a) {
    return static_cast<T>(~a);
  }
};
struct IsZero {
  template <class T>
  static T apply(T a) {
    return a == 0 ? 1 : 0;
  }
};
// As in PTX, shift amounts beyond the operand's width give 0 (shifts right of signed values: copies of the
// sign bit).
struct ShiftLeft {
  template <class T>
  static T apply(T a, std::uint32_t n) {
    const unsigned width = 8 * sizeof(T);
    return n < width ? static_cast<T>(static_cast<Unsigned<T>>(a) << (n & (width - 1))) : static_cast<T>(0);
  }
};
struct ShiftRight {
  template <class T>
  static T apply(T a, std::uint32_t n) {
    const unsigned width = 8 * sizeof(T);
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(a >> (n < width ? n : width - 1));
    else
      return n < width ? static_cast<T>(a >> (n & (width - 1))) : static_cast<T>(0);
  }
};
struct PopulationCount {
  template <class T>
  static std::uint32_t apply(T a) {
    return static_cast<std::uint32_t>(std::popcount(a));
  }
};
struct LeadingZeros {
  template <class T>
  static std::uint32_t apply(T a) {
    return static_cast<std::uint32_t>(std::countl_zero(a));
  }
};
struct ReverseBits {
  template <class T>
  static T apply(T a) {
    T result = 0;
    for (unsigned i = 0; i < 8 * sizeof(T); ++i) result = static_cast<T>(result << 1 | ((a >> i) & 1));
    return result;
  }
};
// bfind: returns the index of the highest bit that differs from the sign, or all ones if there is none.
struct FindLeadingBit {
  template <class T>
  static std::uint32_t apply(T a) {
    if constexpr (std::is_signed_v<T>) {
      if (a < 0) a = static_cast<T>(~a);
    }
    return a == 0 ? 0xFFFFFFFFU : static_cast<std::uint32_t>(std::bit_width(static_cast<Unsigned<T>>(a)) - 1);
  }
};
struct ShiftToLeadingBit {  // bfind.shiftamt: left shift that moves the bit found by bfind to the top
  template <class T>
  static std::uint32_t apply(T a) {
    const std::uint32_t at = FindLeadingBit::apply(a);
    return at == 0xFFFFFFFFU ? at : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - at;
  }
};
struct ExtractField {
  template <class T>
  static T apply(T a, std::uint32_t from, std::uint32_t length) {
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
  template <class T>
  static T apply(T a, T b, std::uint32_t at, std::uint32_t length) {
    constexpr unsigned width = 8 * sizeof(T);
    at &= 0xFF;
    length &= 0xFF;
    if (at >= width || length == 0) return b;
    T mask = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    mask = static_cast<T>(mask << at);
    return static_cast<T>((b & ~mask) | ((a << at) & mask));
  }
};
struct PermuteBytes {  // PTX's prmt instruction in its default mode
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
struct Logic3 {  // lop3: bitwise function of a, b and c given by a truth table
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t table) {
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 8; ++i) {
      if ((table >> i & 1) == 0) continue;
      result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
    }
    return result;
  }
};

template <class Op>
Operation bit_unary(Type t) {
  return for_bits(t, []<class T>() { return fast<Op, T, T>(); });
}
template <class Op>
Operation bit_binary(Type t) {
  return for_bits(t, []<class T>() { return fast<Op, T, T, T>(); });
}
template <class Op>
Operation count_of(Type t) {
  return for_wide_bits(t, []<class T>() { return slow<Op, std::uint32_t, T>(); });
}
template <class Op>
Operation shift(Type t) {
  Operation plain = for_integer(t, []<class T>() { return fast<Op, T, T, std::uint32_t>(); });
  return plain.handler != nullptr ? plain
                                  : for_bits(t, []<class T>() { return fast<Op, T, T, std::uint32_t>(); });
}
template <class Op>
Operation word3(Type t) {
  return t == Type::b32 ? fast<Op, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>()
                        : Operation{};
}
Operation logic3(Type t) {
  using U = std::uint32_t;
  return t == Type::b32 ? slow<Logic3, U, U, U, U, U>() : Operation{};
}
Operation field(Type t) {
  if (size_of(t) == 2) return {};
  return for_integer(t, []<class T>() { return slow<ExtractField, T, T, std::uint32_t, std::uint32_t>(); });
}
Operation insert_field(Type t) {
  return for_wide_bits(t,
                       []<class T>() { return slow<InsertField, T, T, T, std::uint32_t, std::uint32_t>(); });
}
template <class Op>
Operation leading_bit(Type t) {
  if (size_of(t) == 2) return {};
  return for_integer(t, []<class T>() { return slow<Op, std::uint32_t, T>(); });
}

constexpr Row kRows[] = {
    {"and", bit_binary<And>},
    {"or", bit_binary<Or>},
    {"xor", bit_binary<Xor>},
    {"not", bit_unary<Not>},
    {"cnot", bit_unary<IsZero>},
    {"shl", shift<ShiftLeft>},
    {"shr", shift<ShiftRight>},
    {"popc", count_of<PopulationCount>},
    {"clz", count_of<LeadingZeros>},
    {"bfind", leading_bit<FindLeadingBit>},
    {"bfind.shiftamt", leading_bit<ShiftToLeadingBit>},
    {"brev", [](Type t) { return for_wide_bits(t, []<class T>() { return slow<ReverseBits, T, T>(); }); }},
    {"bfe", field},
    {"bfi", insert_field},
    {"prmt", word3<PermuteBytes>},
    {"shf.l.wrap", word3<FunnelShift<true, true>>},
    {"shf.r.wrap", word3<FunnelShift<false, true>>},
    {"shf.l.clamp", word3<FunnelShift<true, false>>},
    {"shf.r.clamp", word3<FunnelShift<false, false>>},
    {"lop3", logic3},
};

}  // namespace

Operation bit_operation(const Mnemonic& mnemonic) {
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
