#include "tests/simulator/operation_cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace warpmark::simulator::test {
namespace {

template <class T, class F>
Case comparison(const std::string& opcode, F f) {  // to 1 or 0 by way of a predicate
  return {"setp." + opcode + " %p1, A, B; selp.b32 D, 1, 0, %p1;",
          {4, sizeof(T), sizeof(T), 0},
          [f](Bits a, Bits b, Bits) -> Bits { return f(as<T>(a), as<T>(b)) ? 1 : 0; },
          std::is_floating_point_v<T>};
}

__extension__ using Int128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

template <class T>
void add_integer_cases(std::vector<Case>& cases) {
  const std::string t = "." + type_name<T>();
  const std::string b = fmt::format(".b{}", 8 * sizeof(T));
  using U = std::make_unsigned_t<T>;
  const auto u = [](T value) { return static_cast<Bits>(static_cast<U>(value)); };
  cases.push_back(binary<T, T, T>("add" + t, [=](T x, T y) { return static_cast<U>(u(x) + u(y)); }));
  cases.push_back(binary<T, T, T>("sub" + t, [=](T x, T y) { return static_cast<U>(u(x) - u(y)); }));
  cases.push_back(binary<T, T, T>("mul.lo" + t, [=](T x, T y) { return static_cast<U>(u(x) * u(y)); }));
  cases.push_back(binary<T, T, T>("mul.hi" + t, [](T x, T y) {
    using Exact = std::conditional_t<std::is_signed_v<T>, Int128, Unsigned128>;
    return static_cast<T>(static_cast<Exact>(x) * static_cast<Exact>(y) >> (8 * sizeof(T)));
  }));
  cases.push_back(
      ternary<T, T, T, T>("mad.lo" + t, [=](T x, T y, T z) { return static_cast<U>(u(x) * u(y) + u(z)); }));
  cases.push_back(binary<T, T, T>("div" + t, [=](T x, T y) {
    if (y == 0) return static_cast<T>(-1);
    return std::is_signed_v<T> && y == static_cast<T>(-1) ? static_cast<T>(static_cast<U>(0 - u(x)))
                                                          : static_cast<T>(x / y);
  }));
  cases.push_back(binary<T, T, T>("rem" + t, [](T x, T y) {
    if (y == 0) return x;
    return std::is_signed_v<T> && y == static_cast<T>(-1) ? T{0} : static_cast<T>(x % y);
  }));
  cases.push_back(binary<T, T, T>("min" + t, [](T x, T y) { return std::min(x, y); }));
  cases.push_back(binary<T, T, T>("max" + t, [](T x, T y) { return std::max(x, y); }));
  if (std::is_signed_v<T>) {
    cases.push_back(unary<T, T>("neg" + t, [=](T x) { return static_cast<U>(0 - u(x)); }));
    cases.push_back(unary<T, T>("abs" + t, [=](T x) { return static_cast<U>(x < 0 ? 0 - u(x) : u(x)); }));
  } else {
    cases.push_back(binary<T, T, T>("and" + b, [](T x, T y) { return x & y; }));
    cases.push_back(binary<T, T, T>("or" + b, [](T x, T y) { return x | y; }));
    cases.push_back(binary<T, T, T>("xor" + b, [](T x, T y) { return x ^ y; }));
    cases.push_back(unary<T, T>("not" + b, [](T x) { return ~x; }));
    cases.push_back(unary<T, T>("cnot" + b, [](T x) { return x == 0; }));
    cases.push_back(unary<T, T>("mov" + b, [](T x) { return x; }));
    const auto shifted_out = [](std::uint32_t n) { return n >= 8 * sizeof(T); };
    cases.push_back(binary<T, T, std::uint32_t>("shl" + b, [=](T x, std::uint32_t n) {
      return shifted_out(n) ? Bits{0} : static_cast<Bits>(x) << n;
    }));
  }
  cases.push_back(binary<T, T, std::uint32_t>("shr" + t, [](T x, std::uint32_t n) {
    const auto wide = static_cast<Int128>(x);
    return static_cast<T>(wide >> std::min<std::uint32_t>(n, 100));
  }));
  cases.push_back(comparison<T>("eq" + t, [](T x, T y) { return x == y; }));
  cases.push_back(comparison<T>("ne" + t, [](T x, T y) { return x != y; }));
  cases.push_back(comparison<T>("lt" + t, [](T x, T y) { return x < y; }));
  cases.push_back(comparison<T>("le" + t, [](T x, T y) { return x <= y; }));
  cases.push_back(comparison<T>("gt" + t, [](T x, T y) { return x > y; }));
  cases.push_back(comparison<T>("ge" + t, [](T x, T y) { return x >= y; }));
  if constexpr (sizeof(T) < 8) {
    cases.push_back(
        binary<Wide<T>, T, T>("mul.wide" + t, [](T x, T y) { return static_cast<Int128>(x) * y; }));
    cases.push_back(ternary<Wide<T>, T, T, Wide<T>>("mad.wide" + t, [](T x, T y, Wide<T> z) {
      return static_cast<Wide<T>>(static_cast<Int128>(x) * y + z);
    }));
  }
  if constexpr (sizeof(T) > 2) {
    cases.push_back(ternary<T, T, std::uint32_t, std::uint32_t>(
        "bfe" + t, [](T x, std::uint32_t from, std::uint32_t length) {
          from &= 0xFF;
          length &= 0xFF;
          T result = 0;  // bit by bit, as the PTX manual defines it
          const unsigned width = 8 * sizeof(T);
          const bool sign =
              std::is_signed_v<T> && length > 0 && (x >> std::min(from + length - 1, width - 1) & 1) != 0;
          for (unsigned i = 0; i < width; ++i) {
            const bool bit = i < length && from + i < width ? (x >> (from + i) & 1) != 0 : sign;
            if (bit) result = static_cast<T>(result | static_cast<T>(static_cast<U>(1) << i));
          }
          return result;
        }));
  }
}

template <class T>
void add_real_cases(std::vector<Case>& cases) {
  const std::string t = "." + type_name<T>();
  cases.push_back(binary<T, T, T>("add.rn" + t, [](T x, T y) { return x + y; }));
  cases.push_back(binary<T, T, T>("add" + t, [](T x, T y) { return x + y; }));
  cases.push_back(binary<T, T, T>("sub" + t, [](T x, T y) { return x - y; }));
  cases.push_back(binary<T, T, T>("mul" + t, [](T x, T y) { return x * y; }));
  cases.push_back(binary<T, T, T>("div.rn" + t, [](T x, T y) { return x / y; }));
  cases.push_back(ternary<T, T, T, T>("fma.rn" + t, [](T x, T y, T z) { return std::fma(x, y, z); }));
  cases.push_back(unary<T, T>("sqrt.rn" + t, [](T x) { return std::sqrt(x); }));
  cases.push_back(unary<T, T>("rcp.rn" + t, [](T x) { return 1 / x; }));
  cases.push_back(unary<T, T>("neg" + t, [](T x) { return -x; }));
  cases.push_back(unary<T, T>("abs" + t, [](T x) { return std::fabs(x); }));
  cases.push_back(binary<T, T, T>(
      "min" + t, [](T x, T y) { return x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y); }));
  cases.push_back(binary<T, T, T>(
      "max" + t, [](T x, T y) { return x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y); }));
  const auto unordered = [](T x, T y) { return std::isunordered(x, y); };
  cases.push_back(comparison<T>("eq" + t, [](T x, T y) { return x == y; }));
  cases.push_back(comparison<T>("ne" + t, [=](T x, T y) { return x != y && !unordered(x, y); }));
  cases.push_back(comparison<T>("lt" + t, [](T x, T y) { return x < y; }));
  cases.push_back(comparison<T>("ge" + t, [](T x, T y) { return x >= y; }));
  cases.push_back(comparison<T>("equ" + t, [=](T x, T y) { return x == y || unordered(x, y); }));
  cases.push_back(comparison<T>("neu" + t, [](T x, T y) { return x != y; }));
  cases.push_back(comparison<T>("ltu" + t, [=](T x, T y) { return x < y || unordered(x, y); }));
  cases.push_back(comparison<T>("leu" + t, [=](T x, T y) { return x <= y || unordered(x, y); }));
  cases.push_back(comparison<T>("gtu" + t, [=](T x, T y) { return x > y || unordered(x, y); }));
  cases.push_back(comparison<T>("geu" + t, [=](T x, T y) { return x >= y || unordered(x, y); }));
  cases.push_back(comparison<T>("num" + t, [=](T x, T y) { return !unordered(x, y); }));
  cases.push_back(comparison<T>("nan" + t, unordered));
  cases.push_back(unary<T, T>("cvt.rni" + t + t, [](T x) { return std::nearbyint(x); }));
  cases.push_back(unary<T, T>("cvt.rzi" + t + t, [](T x) { return std::trunc(x); }));
  cases.push_back(unary<T, T>("cvt.rmi" + t + t, [](T x) { return std::floor(x); }));
  cases.push_back(unary<T, T>("cvt.rpi" + t + t, [](T x) { return std::ceil(x); }));
}

template <class D, class S>
D converted(S value, S whole) {
  if (std::isnan(value)) {
    if (sizeof(S) == 4 && sizeof(D) < 8) return 0;
    return static_cast<D>(std::make_unsigned_t<D>{1} << (8 * sizeof(D) - 1));
  }
  const auto exact = static_cast<long double>(whole);
  if (exact > static_cast<long double>(std::numeric_limits<D>::max())) return std::numeric_limits<D>::max();
  if (exact < static_cast<long double>(std::numeric_limits<D>::min())) return std::numeric_limits<D>::min();
  return static_cast<D>(exact);
}

template <class I, class R>
void add_conversions(std::vector<Case>& cases) {
  const std::string i = "." + type_name<I>();
  const std::string r = "." + type_name<R>();
  cases.push_back(unary<I, R>("cvt.rzi" + i + r, [](R x) { return converted<I>(x, std::trunc(x)); }));
  cases.push_back(unary<I, R>("cvt.rni" + i + r, [](R x) { return converted<I>(x, std::nearbyint(x)); }));
  cases.push_back(unary<I, R>("cvt.rmi" + i + r, [](R x) { return converted<I>(x, std::floor(x)); }));
  cases.push_back(unary<I, R>("cvt.rpi" + i + r, [](R x) { return converted<I>(x, std::ceil(x)); }));
  cases.push_back(unary<R, I>("cvt.rn" + r + i, [](I x) { return static_cast<R>(x); }));
  const auto directed = [](I x, int direction) {  // 0: towards zero
    const auto exact = static_cast<long double>(x);
    R result = static_cast<R>(exact);
    const int way = direction != 0 ? direction : (x > 0 ? -1 : 1);
    if (way < 0 && static_cast<long double>(result) > exact)
      result = std::nextafter(result, -std::numeric_limits<R>::infinity());
    if (way > 0 && static_cast<long double>(result) < exact)
      result = std::nextafter(result, std::numeric_limits<R>::infinity());
    return result;
  };
  cases.push_back(unary<R, I>("cvt.rz" + r + i, [=](I x) { return directed(x, 0); }));
  cases.push_back(unary<R, I>("cvt.rm" + r + i, [=](I x) { return directed(x, -1); }));
  cases.push_back(unary<R, I>("cvt.rp" + r + i, [=](I x) { return directed(x, 1); }));
}

template <class D, class... S>
void add_integer_conversions(std::vector<Case>& cases) {
  (cases.push_back(
       unary<D, S>("cvt." + type_name<D>() + "." + type_name<S>(), [](S x) { return static_cast<D>(x); })),
   ...);
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  using std::int16_t, std::int32_t, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t;
  add_integer_cases<int16_t>(cases);
  add_integer_cases<uint16_t>(cases);
  add_integer_cases<int32_t>(cases);
  add_integer_cases<uint32_t>(cases);
  add_integer_cases<int64_t>(cases);
  add_integer_cases<uint64_t>(cases);
  add_real_cases<float>(cases);
  add_real_cases<double>(cases);
  add_conversions<int16_t, float>(cases);
  add_conversions<uint16_t, float>(cases);
  add_conversions<int32_t, float>(cases);
  add_conversions<uint32_t, float>(cases);
  add_conversions<int64_t, float>(cases);
  add_conversions<uint64_t, float>(cases);
  add_conversions<int32_t, double>(cases);
  add_conversions<uint32_t, double>(cases);
  add_conversions<int64_t, double>(cases);
  add_conversions<uint64_t, double>(cases);
  add_integer_conversions<int32_t, int16_t, uint16_t, int64_t, uint64_t>(cases);
  add_integer_conversions<uint32_t, int16_t, uint16_t, int64_t, uint64_t>(cases);
  add_integer_conversions<int64_t, int16_t, uint16_t, int32_t, uint32_t>(cases);
  add_integer_conversions<uint64_t, int16_t, uint16_t, int32_t, uint32_t>(cases);
  add_integer_conversions<int16_t, int32_t, uint32_t, int64_t>(cases);
  add_integer_conversions<uint16_t, int32_t, uint32_t, int64_t>(cases);
  // An 8-bit value in a wider register.
  cases.push_back(
      unary<int32_t, uint32_t>("cvt.s32.s8", [](uint32_t x) { return static_cast<std::int8_t>(x); }));
  cases.push_back(
      unary<int16_t, uint16_t>("cvt.s16.s8", [](uint16_t x) { return static_cast<std::int8_t>(x); }));
  cases.push_back(
      unary<int64_t, uint64_t>("cvt.s64.s8", [](uint64_t x) { return static_cast<std::int8_t>(x); }));
  cases.push_back(
      unary<uint32_t, uint16_t>("cvt.u32.u8", [](uint16_t x) { return static_cast<std::uint8_t>(x); }));
  cases.push_back(
      unary<float, uint16_t>("cvt.rn.f32.s8", [](uint16_t x) { return static_cast<std::int8_t>(x); }));
  cases.push_back(unary<double, float>("cvt.f64.f32", [](float x) { return static_cast<double>(x); }));
  cases.push_back(unary<float, double>("cvt.rn.f32.f64", [](double x) { return static_cast<float>(x); }));
  cases.push_back(unary<float, double>("cvt.rz.f32.f64", [](double x) {
    const auto near = static_cast<float>(x);
    return std::fabs(static_cast<double>(near)) > std::fabs(x) ? std::nextafter(near, 0.0F) : near;
  }));
  cases.push_back(
      unary<float, float>("cvt.sat.f32.f32", [](float x) { return x > 0 ? std::min(x, 1.0F) : 0.0F; }));
  cases.push_back(unary<uint32_t, uint32_t>("popc.b32", [](uint32_t x) { return std::popcount(x); }));
  cases.push_back(unary<uint32_t, uint64_t>("popc.b64", [](uint64_t x) { return std::popcount(x); }));
  cases.push_back(unary<uint32_t, uint32_t>("clz.b32", [](uint32_t x) { return std::countl_zero(x); }));
  cases.push_back(unary<uint32_t, uint64_t>("clz.b64", [](uint64_t x) { return std::countl_zero(x); }));
  const auto reversed = [](auto x) {
    decltype(x) result = 0;
    for (unsigned i = 0; i < 8 * sizeof(x); ++i) {
      if ((x >> i & 1) != 0) result |= decltype(x){1} << (8 * sizeof(x) - 1 - i);
    }
    return result;
  };
  cases.push_back(unary<uint32_t, uint32_t>("brev.b32", reversed));
  cases.push_back(unary<uint64_t, uint64_t>("brev.b64", reversed));
  cases.push_back(unary<uint32_t, uint32_t>("bfind.u32", [](uint32_t x) {
    return x == 0 ? ~0U : 31U - static_cast<unsigned>(std::countl_zero(x));
  }));
  cases.push_back({"bfi.b32 D, A, B, 5, 9;", {4, 4, 4, 0}, [](Bits a, Bits b, Bits) {
                     return (b & ~Bits{0x3FE0}) | (a << 5 & 0x3FE0);
                   }});
  cases.push_back({"bfi.b64 D, A, B, 60, 9;", {8, 8, 8, 0}, [](Bits a, Bits b, Bits) {
                     return (b & ~(Bits{0xF} << 60)) | a << 60;
                   }});
  cases.push_back({"prmt.b32 D, A, B, 0x0146;", {4, 4, 4, 0}, [](Bits a, Bits b, Bits) {
                     const auto byte = [](Bits v, int n) { return v >> (8 * n) & 0xFF; };
                     return byte(b, 2) | byte(b, 0) << 8 | byte(a, 1) << 16 | byte(a, 0) << 24;
                   }});
  cases.push_back({"shf.l.wrap.b32 D, A, B, C;", {4, 4, 4, 4}, [](Bits a, Bits b, Bits c) {
                     return ((b << 32 | a) << (c & 31)) >> 32;
                   }});
  cases.push_back({"shf.r.wrap.b32 D, A, B, C;", {4, 4, 4, 4}, [](Bits a, Bits b, Bits c) {
                     return (b << 32 | a) >> (c & 31) & 0xFFFFFFFF;
                   }});
  cases.push_back({"lop3.b32 D, A, B, C, 0xE8;", {4, 4, 4, 4}, [](Bits a, Bits b, Bits c) {
                     return (a & b) | (a & c) | (b & c);
                   }});
  cases.push_back({"mov.b64 {%r50, %r51}, A; mov.b64 D, {%r51, %r50};", {8, 8, 0, 0}, [](Bits a, Bits, Bits) {
                     return a << 32 | a >> 32;
                   }});
  cases.push_back({"mov.b32 {%rs10, %rs11}, A; mov.b32 D, {%rs11, %rs10};",
                   {4, 4, 0, 0},
                   [](Bits a, Bits, Bits) { return (a << 16 | a >> 16) & 0xFFFFFFFF; }});
  cases.push_back({"setp.lt.s32 %p2, B, 0; setp.lt.and.s32 %p1, A, 0, !%p2; selp.b32 D, A, B, %p1;",
                   {4, 4, 4, 0},
                   [](Bits a, Bits b, Bits) { return (a >> 31) != 0 && (b >> 31) == 0 ? a : b; }});
  cases.push_back(
      {"setp.lt.u32 %p1|%p2, A, B; selp.b32 %r50, 1, 0, %p1; selp.b32 %r51, 2, 0, %p2; add.s32 D, %r50, "
       "%r51;",
       {4, 4, 4, 0},
       [](Bits a, Bits b, Bits) -> Bits { return a < b ? 1 : 2; }});
  cases.push_back(
      {"setp.lt.s32 %p1, A, 0; setp.lt.s32 %p2, B, 0; xor.pred %p3, %p1, %p2; not.pred %p4, %p3; selp.b32 D, "
       "1, 0, %p4;",
       {4, 4, 4, 0},
       [](Bits a, Bits b, Bits) -> Bits { return (a >> 31) == (b >> 31) ? 1 : 0; }});
  cases.push_back(
      {"mov.pred %p1, -1; mov.pred %p2, 0; not.pred %p3, %p2; and.pred %p4, %p1, %p3; selp.b32 D, A, B, %p4;",
       {4, 4, 4, 0},
       [](Bits a, Bits, Bits) { return a; }});
  cases.push_back({"set.lt.u32.s32 D, A, B;", {4, 4, 4, 0}, [](Bits a, Bits b, Bits) -> Bits {
                     return as<int32_t>(a) < as<int32_t>(b) ? 0xFFFFFFFF : 0;
                   }});
  cases.push_back({"mov.u32 D, 7; setp.lt.s32 %p1, A, 0; @%p1 add.s32 D, A, B;",
                   {4, 4, 4, 0},
                   [](Bits a, Bits b, Bits) -> Bits { return (a >> 31) != 0 ? (a + b) & 0xFFFFFFFF : 7; }});
  add_mode_cases(cases);
  return cases;
}

}  // namespace warpmark::simulator::test
