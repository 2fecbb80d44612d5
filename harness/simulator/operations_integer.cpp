// Integer arithmetic. It wraps, so it is done on unsigned values.
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

// Products of 16-bit values would overflow int after promotion; 64 bits hold them all modulo 2^64.
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
// Division by zero does not trap on a GPU: it gives all ones, and the remainder is the dividend.
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
struct Negate {
  template <class T>
  static T apply(T a) {
    return Subtract::apply<T>(0, a);
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

template <class Op>
Operation unary(Type t) {
  return for_integer(t, []<class T>() { return fast<Op, T, T>(); });
}
template <class Op>
Operation binary(Type t) {
  return for_integer(t, []<class T>() { return fast<Op, T, T, T>(); });
}
template <class Op>
Operation division(Type t) {
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
    {"div", division<Divide>},
    {"rem", division<Remainder>},
    {"min", binary<Minimum>},
    {"max", binary<Maximum>},
    {"neg", unary<Negate>},
    {"abs", unary<Absolute>},
};

}  // namespace

Operation integer_operation(const Mnemonic& mnemonic) {
  return look_up(kRows, mnemonic);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
