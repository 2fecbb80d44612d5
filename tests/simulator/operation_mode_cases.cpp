#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/simulator/operation_cases.h"

namespace warpmark::simulator::test {
namespace {

template <class T, class F>
T in_mode(int mode, F f, T x, T y, T z) {
  const volatile T a = x;
  const volatile T b = y;
  const volatile T c = z;
  std::fesetround(mode);
  const volatile T result = f(T{a}, T{b}, T{c});
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
void add_rounded(std::vector<Case>& cases, const std::string& suffix, int mode) {
  const std::string t = suffix + "." + type_name<T>();
  const auto two = [&](const std::string& name, auto f) {
    cases.push_back(binary<T, T, T>(name + t, [=](T x, T y) { return in_mode<T>(mode, f, x, y, T{0}); }));
  };
  two("add", [](T x, T y, T) { return x + y; });
  two("sub", [](T x, T y, T) { return x - y; });
  two("mul", [](T x, T y, T) { return x * y; });
  two("div", [](T x, T y, T) { return x / y; });
  cases.push_back(ternary<T, T, T, T>("fma" + t, [=](T x, T y, T z) {
    return in_mode<T>(
        mode, [](T a, T b, T c) { return std::fma(a, b, c); }, x, y, z);
  }));
  cases.push_back(unary<T, T>("sqrt" + t, [=](T x) {
    return in_mode<T>(
        mode, [](T a, T, T) { return std::sqrt(a); }, x, x, x);
  }));
  cases.push_back(unary<T, T>("rcp" + t, [=](T x) {
    return in_mode<T>(
        mode, [](T a, T, T) { return 1 / a; }, x, x, x);
  }));
}

float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0F, x) : x;
}
float saturated(float x) {
  return x > 0 ? std::min(x, 1.0F) : 0.0F;
}
// The tests' numbers are no subnormal ones: this makes some, exactly.
constexpr const char* kTiny = "mul.f32 %f10, A, 0f00800000; mul.f32 %f11, B, 0f00800000; ";
float tiny(float x) {
  return x * std::numeric_limits<float>::min();
}

template <class T>
T low24(T x) {
  return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(x) << 8) >> 8);
}
template <class T>
void add_24_bit(std::vector<Case>& cases) {
  const std::string t = fmt::format(".{}", type_name<T>());
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  const auto product = [](T x, T y) { return Wide{low24(x)} * Wide{low24(y)}; };
  cases.push_back(binary<T, T, T>("mul24.lo" + t, product));
  cases.push_back(binary<T, T, T>("mul24.hi" + t, [=](T x, T y) { return product(x, y) >> 16; }));
  cases.push_back(ternary<T, T, T, T>("mad24.lo" + t, [=](T x, T y, T z) { return product(x, y) + z; }));
}

template <class A, class B>
void add_dots(std::vector<Case>& cases, const std::string& types) {
  const auto dot = [](Bits a, Bits b, Bits c, unsigned count, unsigned from) -> Bits {
    std::int64_t sum = static_cast<std::int64_t>(c);
    for (unsigned n = 0; n < count; ++n) {
      const auto left = count == 4 ? std::int64_t{static_cast<A>(a >> (8 * n))}
                                   : std::int64_t{static_cast<Wide<A>>(a >> (16 * n))};
      sum += left * static_cast<B>(b >> (8 * (from + n)));
    }
    return static_cast<std::uint32_t>(sum);
  };
  const auto three = [&](const std::string& name, unsigned count, unsigned from) {
    cases.push_back({name + types + " D, A, B, C;", {4, 4, 4, 4}, [=](Bits a, Bits b, Bits c) {
                       return dot(a, b, c, count, from);
                     }});
  };
  three("dp4a", 4, 0);
  three("dp2a.lo", 2, 0);
  three("dp2a.hi", 2, 2);
}

// vadd4 and its like: parts of the words by themselves, or their sum and the third word.
template <class A, class B>
void add_parts(std::vector<Case>& cases, const std::string& types) {
  using Part = std::int64_t (*)(std::int64_t, std::int64_t);
  const auto each = [&](const std::string& name, Part part) {
    constexpr unsigned kBits = 8 * sizeof(A);
    const std::string count = sizeof(A) == 1 ? "4" : "2";
    const auto of = [part](Bits a, Bits b, unsigned n) {
      return part(static_cast<A>(a >> (kBits * n)), static_cast<B>(b >> (kBits * n)));
    };
    cases.push_back({"v" + name + count + types + " D, A, B, C;", {4, 4, 4, 4}, [=](Bits a, Bits b, Bits) {
                       Bits word = 0;
                       for (unsigned n = 0; n < 32 / kBits; ++n)
                         word |= (static_cast<Bits>(of(a, b, n)) & ((Bits{1} << kBits) - 1)) << (kBits * n);
                       return word;
                     }});
    cases.push_back(
        {"v" + name + count + types + ".add D, A, B, C;", {4, 4, 4, 4}, [=](Bits a, Bits b, Bits c) {
           std::int64_t sum = static_cast<std::int64_t>(c);
           for (unsigned n = 0; n < 32 / kBits; ++n) sum += of(a, b, n);
           return static_cast<Bits>(static_cast<std::uint32_t>(sum));
         }});
  };
  each("add", [](std::int64_t a, std::int64_t b) { return a + b; });
  each("sub", [](std::int64_t a, std::int64_t b) { return a - b; });
  each("absdiff", [](std::int64_t a, std::int64_t b) { return a > b ? a - b : b - a; });
  each("min", [](std::int64_t a, std::int64_t b) { return a < b ? a : b; });
  each("max", [](std::int64_t a, std::int64_t b) { return a < b ? b : a; });
  each("avrg", [](std::int64_t a, std::int64_t b) {
    const std::int64_t twice = a + b;  // half of it, what lies between two rounded up from zero on
    return twice >= 0 ? (twice + 1) / 2 : -((-twice + 1) / 2);
  });
}

// The value of half precision's bits: what the exponents say, without any rounding.
double half_value(Bits bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  double value = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31)
    value =
        fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  return (bits & 0x8000) != 0 ? -value : value;
}
// The nearest of all values; of two as near the one with an even last bit.
Bits nearest_half(double value) {
  if (std::isnan(value)) return 0x7fff;
  const Bits sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00;
  Bits below = 0;
  for (Bits bit = 1 << 14; bit != 0; bit >>= 1) {
    if ((below | bit) < 0x7c00 && half_value(below | bit) <= magnitude) below |= bit;
  }
  const double above = below == 0x7bff ? 65536 : half_value(below + 1);
  const double down = magnitude - half_value(below);
  const double up = above - magnitude;
  return sign | (up < down || (up == down && below % 2 == 1) ? below + 1 : below);
}
void add_half_cases(std::vector<Case>& cases) {
  cases.push_back({"cvt.rn.f16.f32 D, A;",
                   {2, 4, 0, 0},
                   [](Bits a, Bits, Bits) { return nearest_half(as<float>(a)); },
                   true});
  cases.push_back({"cvt.rn.f16.f64 D, A;",
                   {2, 8, 0, 0},
                   [](Bits a, Bits, Bits) { return nearest_half(as<double>(a)); },
                   true});
  cases.push_back({"cvt.f32.f16 D, A;", {4, 2, 0, 0}, [](Bits a, Bits, Bits) {
                     const double value = half_value(a);
                     return std::isnan(value) ? Bits{0x7fffffff} : bits_of(static_cast<float>(value));
                   }});
  const auto either_nan = [](float x, float y) { return std::isnan(x) || std::isnan(y); };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  cases.push_back(binary<float, float, float>("max.NaN.f32", [=](float x, float y) {
    return either_nan(x, y) ? nan : x == y ? (std::signbit(x) ? y : x) : std::fmax(x, y);
  }));
  cases.push_back(binary<float, float, float>("min.NaN.f32", [=](float x, float y) {
    return either_nan(x, y) ? nan : x == y ? (std::signbit(x) ? x : y) : std::fmin(x, y);
  }));
}

}  // namespace

void add_mode_cases(std::vector<Case>& cases) {
  for (const auto& [suffix, mode] :
       {std::pair{".rz", FE_TOWARDZERO}, std::pair{".rm", FE_DOWNWARD}, std::pair{".rp", FE_UPWARD}}) {
    add_rounded<float>(cases, suffix, mode);
    add_rounded<double>(cases, suffix, mode);
  }
  const std::string tiny_pair = kTiny;
  const auto two_floats = [&](const std::string& text, auto f) {
    cases.push_back({text,
                     {4, 4, 4, 0},
                     [=](Bits a, Bits b, Bits) { return bits_of<float>(f(as<float>(a), as<float>(b))); },
                     true});
  };
  two_floats(tiny_pair + "add.ftz.f32 D, %f10, %f11;",
             [](float x, float y) { return flushed(flushed(tiny(x)) + flushed(tiny(y))); });
  two_floats(tiny_pair + "mul.rn.ftz.f32 D, %f10, B;",
             [](float x, float y) { return flushed(flushed(tiny(x)) * flushed(y)); });
  two_floats(tiny_pair + "abs.ftz.f32 D, %f10;", [](float x, float) { return flushed(std::fabs(tiny(x))); });
  two_floats(tiny_pair + "setp.eq.ftz.f32 %p1, %f10, 0f00000000; selp.f32 D, 0f3F800000, 0f00000000, %p1;",
             [](float x, float) { return flushed(tiny(x)) == 0 ? 1.0F : 0.0F; });
  two_floats("mul.sat.f32 D, A, B;", [](float x, float y) { return saturated(x * y); });
  two_floats("fma.rn.sat.f32 D, A, B, A;", [](float x, float y) { return saturated(std::fma(x, y, x)); });
  add_half_cases(cases);
  add_24_bit<std::int32_t>(cases);
  add_24_bit<std::uint32_t>(cases);
  add_dots<std::int8_t, std::int8_t>(cases, ".s32.s32");
  add_dots<std::uint8_t, std::uint8_t>(cases, ".u32.u32");
  add_dots<std::int8_t, std::uint8_t>(cases, ".s32.u32");
  add_dots<std::uint8_t, std::int8_t>(cases, ".u32.s32");
  add_parts<std::int8_t, std::int8_t>(cases, ".s32.s32.s32");
  add_parts<std::uint8_t, std::uint8_t>(cases, ".u32.u32.u32");
  add_parts<std::uint8_t, std::int8_t>(cases, ".s32.u32.s32");
  add_parts<std::int16_t, std::int16_t>(cases, ".s32.s32.s32");
  add_parts<std::uint16_t, std::uint16_t>(cases, ".u32.u32.u32");
}

}  // namespace warpmark::simulator::test
