// Handlers of integer arithmetic. PTX integers wrap around on overflow, so the handlers compute on unsigned
// values.
#include <type_traits>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
struct WiderOf;
template <>
struct WiderOf<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct WiderOf<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct WiderOf<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct WiderOf<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct WiderOf<std::int64_t> {
  __extension__ using type = __int128;
};
template <>
struct WiderOf<std::uint64_t> {
  __extension__ using type = unsigned __int128;
};
template <class T>
using Wider = typename WiderOf<T>::type;

// Truncates a 64-bit result to T. Products of 16-bit values are computed in 64 bits, because the product of
// promoted ints could overflow.
template <class T>
T wrapped(std::uint64_t value) {
  return static_cast<T>(value);
}
template <class T>
std::uint64_t bits(T value) {
  return static_cast<std::uint64_t>(value);
}

struct Add {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  }
};
struct Subtract {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  }
};
struct MultiplyLow {
  template <class T>
  static T apply(T a, T b) {
    if constexpr (sizeof(T) == 2)
      return wrapped<T>(bits(a) * bits(b));
    else
      return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
  }
};
struct MultiplyHigh {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>((static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b)) >> (8 * sizeof(T)));
  }
};
template <class T>
struct MultiplyWide {
  static Wider<T> apply(T a, T b) {
    return static_cast<Wider<T>>(static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b));
  }
};
struct MadLow {
  template <class T>
  static T apply(T a, T b, T c) {
    return Add::apply<T>(MultiplyLow::apply<T>(a, b), c);
  }
};
struct MadHigh {
  template <class T>
  static T apply(T a, T b, T c) {
    return Add::apply<T>(MultiplyHigh::apply<T>(a, b), c);
  }
};
template <class T>
struct MadWide {
  static Wider<T> apply(T a, T b, Wider<T> c) {
    return Add::apply<Wider<T>>(MultiplyWide<T>::apply(a, b), c);
  }
};
struct Negate {
  template <class T>
  static T apply(T a) {
    return Subtract::apply<T>(0, a);
  }
};
// Division by zero does not trap on a GPU: the quotient is all ones, the remainder is the dividend.
struct Divide {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return static_cast<T>(-1);
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return Subtract::apply<T>(0, a);
    }
    return static_cast<T>(a / b);
  }
};
struct Remainder {
  template <class T>
  static T apply(T a, T b) {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};
// Divides 32-bit integers in double, because there are vector instructions for the division of doubles but
// not of integers. The result is exact: a non-integer quotient differs from the next integer by at least
// 2^-32 of itself, and double rounds with a relative error of 2^-53.
struct DivideWords {
  static std::int32_t apply(std::int32_t a, std::int32_t b) {
    const std::int32_t divisor = b == 0 || b == -1 ? 1 : b;
    const auto quotient = static_cast<std::int32_t>(static_cast<double>(a) / static_cast<double>(divisor));
    const std::int32_t usual = b == -1 ? Negate::apply<std::int32_t>(a) : quotient;
    return b == 0 ? -1 : usual;
  }
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    const double quotient = real(a) / real(b == 0 ? 1 : b);
    // Half of the quotient fits into int32, to which x86 vector instructions convert doubles.
    const auto half = static_cast<std::int32_t>(quotient * 0.5);
    const std::uint32_t odd = quotient - 2.0 * half >= 1 ? 1 : 0;
    return b == 0 ? ~std::uint32_t{0} : 2 * static_cast<std::uint32_t>(half) + odd;
  }

 private:
  static double real(std::uint32_t a) {
    return 2.0 * static_cast<std::int32_t>(a >> 1) + static_cast<std::int32_t>(a & 1);
  }
};
struct RemainderOfWords {
  template <class T>
  static T apply(T a, T b) {
    const T rest = Subtract::apply<T>(a, MultiplyLow::apply<T>(DivideWords::apply(a, b), b));
    return b == 0 ? a : rest;
  }
};
struct Minimum {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Maximum {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct Absolute {
  template <class T>
  static T apply(T a) {
    return a < 0 ? Negate::apply<T>(a) : a;
  }
};
struct SumOfDifferences {
  template <class T>
  static T apply(T a, T b, T c) {
    return Add::apply<T>(c, a < b ? Subtract::apply<T>(b, a) : Subtract::apply<T>(a, b));
  }
};

// mul24: sign- or zero-extends the low 24 bits of the factors; .lo and .hi select 32 bits of the 48-bit
// product.
template <class T>
T low24(T a) {
  return static_cast<T>(static_cast<T>(static_cast<Unsigned<T>>(a) << 8) >> 8);
}
struct Multiply24Low {
  template <class T>
  static T apply(T a, T b) {
    return MultiplyLow::apply<T>(low24(a), low24(b));
  }
};
struct Multiply24High {
  template <class T>
  static T apply(T a, T b) {
    return static_cast<T>(MultiplyWide<T>::apply(low24(a), low24(b)) >> 16);
  }
};
struct Mad24Low {
  template <class T>
  static T apply(T a, T b, T c) {
    return Add::apply<T>(Multiply24Low::apply<T>(a, b), c);
  }
};

// dp4a: sum of four byte products. dp2a: two 16-bit values times the low or the high two bytes.
template <class A, class B>
struct DotOfBytes {
  using Sum = std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, std::int32_t, std::uint32_t>;
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    constexpr unsigned count = 4 / sizeof(A);
    return dot(a, b, c, count, 0);
  }
  static std::uint32_t dot(std::uint32_t a, std::uint32_t b, std::uint32_t c, unsigned count, unsigned from) {
    for (unsigned i = 0; i < count; ++i) {
      c += static_cast<std::uint32_t>(Sum{part_of<A>(a, i)} * Sum{part_of<B>(b, from + i)});
    }
    return c;
  }
};
template <class A, class B>
struct DotOfHighBytes {
  static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return DotOfBytes<A, B>::dot(a, b, c, 2, 2);
  }
};
template <template <class, class> class Op, class Signed, class Plain>
Operation dot(const Mnemonic& mnemonic) {
  using U = std::uint32_t;
  const bool a_signed = mnemonic.type(0) == Type::s32;
  const bool b_signed = mnemonic.type(1) == Type::s32;
  if (size_of(mnemonic.type(0)) != 4 || size_of(mnemonic.type(1)) != 4) return {};
  if (a_signed && b_signed) return slow<Op<Signed, std::int8_t>, U, U, U, U>();
  if (a_signed) return slow<Op<Signed, std::uint8_t>, U, U, U, U>();
  if (b_signed) return slow<Op<Plain, std::int8_t>, U, U, U, U>();
  return slow<Op<Plain, std::uint8_t>, U, U, U, U>();
}

template <class Make>
Operation for_word(Type t, Make make) {
  if (t == Type::s32) return make.template operator()<std::int32_t>();
  if (t == Type::u32) return make.template operator()<std::uint32_t>();
  return {};
}

template <class Op>
Operation unary(Type t) {
  return for_integer(t, []<class T>() { return fast<Op, T, T>(); });
}
template <class Op>
Operation binary(Type t) {
  return for_integer(t, []<class T>() { return fast<Op, T, T, T>(); });
}
template <class Op, class OpOfWords>
Operation division(Type t) {
  if (t == Type::s32) return fast<OpOfWords, std::int32_t, std::int32_t, std::int32_t>();
  if (t == Type::u32) return fast<OpOfWords, std::uint32_t, std::uint32_t, std::uint32_t>();
  return for_integer(t, []<class T>() { return slow<Op, T, T, T>(); });
}
template <class Op>
Operation ternary(Type t) {
  return for_integer(t, []<class T>() { return fast<Op, T, T, T, T>(); });
}
template <template <class> class Op>
Operation widening(Type t) {
  if (size_of(t) == 8) return {};
  return for_integer(t, []<class T>() -> Operation {
    if constexpr (sizeof(T) < 8)
      return fast<Op<T>, Wider<T>, T, T>();
    else
      return {};
  });
}
Operation mad_wide(Type t) {
  return for_integer(t, []<class T>() -> Operation {
    if constexpr (sizeof(T) < 8)
      return fast<MadWide<T>, Wider<T>, T, T, Wider<T>>();
    else
      return {};
  });
}

constexpr Row kRows[] = {
    {"add", binary<Add>},
    {"sub", binary<Subtract>},
    {"mul.lo", binary<MultiplyLow>},
    {"mul.hi", binary<MultiplyHigh>},
    {"mul.wide", widening<MultiplyWide>},
    {"mad.lo", ternary<MadLow>},
    {"mad.hi", ternary<MadHigh>},
    {"mad.wide", mad_wide},
    {"sad", ternary<SumOfDifferences>},
    {"div", division<Divide, DivideWords>},
    {"rem", division<Remainder, RemainderOfWords>},
    {"min", binary<Minimum>},
    {"max", binary<Maximum>},
    {"neg", unary<Negate>},
    {"abs", unary<Absolute>},
    {"mul24.lo",
     [](Type t) { return for_word(t, []<class T>() { return fast<Multiply24Low, T, T, T>(); }); }},
    {"mul24.hi",
     [](Type t) { return for_word(t, []<class T>() { return fast<Multiply24High, T, T, T>(); }); }},
    {"mad24.lo", [](Type t) { return for_word(t, []<class T>() { return fast<Mad24Low, T, T, T, T>(); }); }},
};

}  // namespace

Operation integer_operation(const Mnemonic& mnemonic) {
  if (mnemonic.name == "dp4a") return dot<DotOfBytes, std::int8_t, std::uint8_t>(mnemonic);
  if (mnemonic.name == "dp2a.lo") return dot<DotOfBytes, std::int16_t, std::uint16_t>(mnemonic);
  if (mnemonic.name == "dp2a.hi") return dot<DotOfHighBytes, std::int16_t, std::uint16_t>(mnemonic);
  if (const Operation found = parts_operation(mnemonic); found.handler != nullptr) return found;
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
