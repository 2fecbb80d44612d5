// Handlers of cvt between all number types. A source value narrower than its register is extracted first.
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"
#include "harness/simulator/include/warpmark_cuda/narrow/narrow_bits.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

using ptx::Type;

enum class Rounding : std::uint8_t { nearest, zero, down, up };

template <Rounding kMode, class T>
T to_integral(T value) {
  if constexpr (kMode == Rounding::nearest) return std::nearbyint(value);
  if constexpr (kMode == Rounding::zero) return std::trunc(value);
  if constexpr (kMode == Rounding::down) return std::floor(value);
  return std::ceil(value);
}

// Converts with correct rounding in any mode: rounds to nearest and, if the result lies on the wrong side of
// the exact value, steps to the adjacent one. Exact: a type that represents both source and result exactly.
template <Rounding kMode, class To, class Exact>
To rounded(Exact exact) {
  const To nearest = static_cast<To>(exact);
  if constexpr (kMode == Rounding::nearest) return nearest;
  const auto back = static_cast<Exact>(nearest);
  constexpr To infinity = std::numeric_limits<To>::infinity();
  const bool downwards = kMode == Rounding::down || (kMode == Rounding::zero && exact > 0);
  if (downwards && back > exact) return std::nextafter(nearest, -infinity);
  if (!downwards && back < exact) return std::nextafter(nearest, infinity);
  return nearest;
}

// Floating-point to integer conversion: out-of-range values saturate; the result for NaN depends on the
// widths (PTX ISA, cvt).
template <Rounding kMode, class To, class From>
struct RealToInteger {
  static To apply(From value) {
    using Limits = std::numeric_limits<To>;
    if (std::isnan(value)) {
      const bool zero = sizeof(From) == 4 && sizeof(To) < 8;
      return zero ? To{0} : static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1));
    }
    const From whole = to_integral<kMode>(value);
    // Float-to-integer saturation: compares with 2^n, which is exact in every floating-point type, whereas
    // the largest integer, one less, may be rounded up.
    if (whole >= std::ldexp(From{1}, Limits::digits)) return Limits::max();
    if (whole < static_cast<From>(Limits::min())) return Limits::min();
    return static_cast<To>(whole);
  }
};
template <Rounding kMode, class To, class From>
struct IntegerToReal {
  static To apply(From value) {
    if constexpr (kMode == Rounding::nearest)
      return static_cast<To>(value);
    else
      return rounded<kMode, To>(static_cast<long double>(value));
  }
};
// Type of the PTX register that holds a T: at least 16 bits wide.
template <class T>
using RegisterOf =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>,
                       T>;
template <Rounding kMode, class To, class From>
struct NarrowToReal {
  static To apply(RegisterOf<From> value) {
    return IntegerToReal<kMode, To, From>::apply(static_cast<From>(value));
  }
};
template <Rounding kMode, class To, class From>
struct RealToReal {
  static To apply(From value) { return rounded<kMode, To>(value); }
};
template <Rounding kMode, class T>
struct RoundToIntegral {
  static T apply(T value) { return to_integral<kMode>(value); }
};
template <class T>
struct SaturateToOne {
  static T apply(T value) { return value > T{0} ? (value < T{1} ? value : T{1}) : T{0}; }
};
// Integer conversion: takes a value of type S from a register of type R, converts it to D, and sign- or
// zero-extends the result to D's register type E.
template <class E, class D, class S, class R>
struct IntegerToInteger {
  static E apply(R value) { return static_cast<E>(static_cast<D>(static_cast<S>(value))); }
};
template <class D, class S>
struct SaturatingInteger {
  static D apply(S value) {
    using Limits = std::numeric_limits<D>;
    if (std::cmp_less(value, Limits::min())) return Limits::min();
    if (std::cmp_greater(value, Limits::max())) return Limits::max();
    return static_cast<D>(value);
  }
};

// Half-precision conversions go through float and double: float represents every half exactly, double every
// source value before it is rounded.
constexpr WarpmarkRounding bits_rounding(Rounding mode) {
  switch (mode) {
    case Rounding::zero:
      return WARPMARK_ZERO;
    case Rounding::down:
      return WARPMARK_DOWN;
    case Rounding::up:
      return WARPMARK_UP;
    default:
      return WARPMARK_NEAREST;
  }
}
template <Rounding kMode, class From>
struct RealToHalf {
  static std::uint16_t apply(From value) {
    return warpmark_narrow<10, 15>(static_cast<double>(value), bits_rounding(kMode));
  }
};
template <class To>
struct HalfToReal {
  static To apply(std::uint16_t bits) { return static_cast<To>(warpmark_widen<10, 15>(bits)); }
};

template <class Visitor>
Operation with_integer(Type type, Visitor visit) {
  switch (type) {
    case Type::s8:
      return visit.template operator()<std::int8_t>();
    case Type::b8:
    case Type::u8:
      return visit.template operator()<std::uint8_t>();
    case Type::s16:
      return visit.template operator()<std::int16_t>();
    case Type::b16:
    case Type::u16:
      return visit.template operator()<std::uint16_t>();
    case Type::s32:
      return visit.template operator()<std::int32_t>();
    case Type::b32:
    case Type::u32:
      return visit.template operator()<std::uint32_t>();
    case Type::s64:
      return visit.template operator()<std::int64_t>();
    case Type::b64:
    case Type::u64:
      return visit.template operator()<std::uint64_t>();
    default:
      return {};
  }
}
template <class Visitor>
Operation with_real(Type type, Visitor visit) {
  switch (type) {
    case Type::f32:
      return visit.template operator()<float>();
    case Type::f64:
      return visit.template operator()<double>();
    default:
      return {};
  }
}
bool is_real(Type type) {
  return type == Type::f32 || type == Type::f64;
}

Operation integer_to_integer(const Mnemonic& m, std::size_t source_bytes) {
  return with_integer(m.type(0), [&]<class D>() {
    return with_integer(m.type(1), [&]<class S>() -> Operation {
      using E = RegisterOf<D>;
      if (sizeof(S) <= 2 && source_bytes == 2)
        return fast<IntegerToInteger<E, D, S, std::uint16_t>, E, std::uint16_t>();
      if (sizeof(S) <= 4 && source_bytes == 4)
        return fast<IntegerToInteger<E, D, S, std::uint32_t>, E, std::uint32_t>();
      if (source_bytes == 8) return fast<IntegerToInteger<E, D, S, std::uint64_t>, E, std::uint64_t>();
      return {};
    });
  });
}
Operation saturating_integer(const Mnemonic& m, std::size_t source_bytes) {
  return with_integer(m.type(0), [&]<class D>() {
    return with_integer(m.type(1), [&]<class S>() -> Operation {
      if constexpr (sizeof(S) >= 2 && sizeof(D) >= 2) {
        if (source_bytes == sizeof(S)) return slow<SaturatingInteger<D, S>, D, S>();
      }
      return {};
    });
  });
}
template <Rounding kMode>
Operation real_to_integer(const Mnemonic& m) {
  return with_integer(m.type(0), [&]<class D>() {
    return with_real(m.type(1), [&]<class S>() -> Operation {
      if constexpr (sizeof(D) >= 2)
        return slow<RealToInteger<kMode, D, S>, D, S>();
      else
        return {};
    });
  });
}
template <Rounding kMode>
Operation integer_to_real(const Mnemonic& m, std::size_t source_bytes) {
  return with_real(m.type(0), [&]<class D>() {
    return with_integer(m.type(1), [&]<class S>() -> Operation {
      if (source_bytes != sizeof(RegisterOf<S>)) return {};
      if constexpr (sizeof(S) == 1) {
        return fast<NarrowToReal<kMode, D, S>, D, RegisterOf<S>>();
      } else if constexpr (kMode == Rounding::nearest) {
        return fast<IntegerToReal<kMode, D, S>, D, S>();
      } else {
        return slow<IntegerToReal<kMode, D, S>, D, S>();
      }
    });
  });
}
template <Rounding kMode>
Operation narrow(const Mnemonic& m) {
  if (m.type(0) == Type::f16) {
    return with_real(m.type(1), []<class T>() { return slow<RealToHalf<kMode, T>, std::uint16_t, T>(); });
  }
  if (m.type(0) != Type::f32 || m.type(1) != Type::f64) return {};
  if constexpr (kMode == Rounding::nearest)
    return fast<RealToReal<kMode, float, double>, float, double>();
  else
    return slow<RealToReal<kMode, float, double>, float, double>();
}
template <Rounding kMode>
Operation to_whole(const Mnemonic& m) {
  if (is_real(m.type(0)) && m.type(0) == m.type(1)) {
    return with_real(m.type(0), []<class T>() { return fast<RoundToIntegral<kMode, T>, T, T>(); });
  }
  return real_to_integer<kMode>(m);
}
template <Rounding kMode>
Operation to_real(const Mnemonic& m, std::size_t source_bytes) {
  return is_real(m.type(1)) ? narrow<kMode>(m) : integer_to_real<kMode>(m, source_bytes);
}

Operation pick(const Mnemonic& m, std::size_t source_bytes) {
  if (m.name == "cvt.rni") return to_whole<Rounding::nearest>(m);
  if (m.name == "cvt.rzi") return to_whole<Rounding::zero>(m);
  if (m.name == "cvt.rmi") return to_whole<Rounding::down>(m);
  if (m.name == "cvt.rpi") return to_whole<Rounding::up>(m);
  if (m.name == "cvt.rn") return to_real<Rounding::nearest>(m, source_bytes);
  if (m.name == "cvt.rz") return to_real<Rounding::zero>(m, source_bytes);
  if (m.name == "cvt.rm") return to_real<Rounding::down>(m, source_bytes);
  if (m.name == "cvt.rp") return to_real<Rounding::up>(m, source_bytes);
  const bool reals = is_real(m.type(0)) && is_real(m.type(1));
  if (m.name == "cvt.sat" && reals && m.type(0) == Type::f32 && m.type(1) == Type::f32) {
    return fast<SaturateToOne<float>, float, float>();
  }
  if (m.name == "cvt.sat") return saturating_integer(m, source_bytes);
  if (m.name != "cvt") return {};
  if (m.type(1) == Type::f16)
    return with_real(m.type(0), []<class T>() { return slow<HalfToReal<T>, T, std::uint16_t>(); });
  if (reals && m.type(0) == Type::f64 && m.type(1) == Type::f32) {
    return fast<RealToReal<Rounding::nearest, double, float>, double, float>();
  }
  return integer_to_integer(m, source_bytes);
}

}  // namespace

Operation convert_operation(const Mnemonic& mnemonic, std::size_t destination_bytes,
                            std::size_t source_bytes) {
  const Operation found = pick(mnemonic, source_bytes);
  // Only cvt instructions with a destination register of exactly the result's width are supported: wider ones
  // would need another extension, and compilers do not emit them.
  return found.sizes[0] == destination_bytes && found.sizes[1] == source_bytes ? found : Operation{};
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
