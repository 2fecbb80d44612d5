// What the host computes for intrinsics: from CUDA's description of each, by other means than the simulator.
#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

#include "tests/simulator/function_cases.h"

namespace warpmark::simulator::test {
namespace {

#define OPERANDS [[maybe_unused]] const auto& [x, y, z, a, b, c, i, j, k, u, v, w, l, m, p, q] = operands
#define CASE(expression, host)                 \
  FunctionCase {                               \
    expression, [](const Operands& operands) { \
      OPERANDS;                                \
      return value_of(host);                   \
    }                                          \
  }
#define CLOSE(expression, host)                      \
  FunctionCase {                                     \
    expression,                                      \
        [](const Operands& operands) {               \
          OPERANDS;                                  \
          return value_of(static_cast<float>(host)); \
        },                                           \
        2e-5                                         \
  }

template <class T, class F>
T in_mode(int mode, F f, T first, T second = 1, T third = 1) {
  const volatile T one = first;
  const volatile T two = second;
  const volatile T three = third;
  std::fesetround(mode);
  const volatile T result = f(one, two, three);
  std::fesetround(FE_TONEAREST);
  return result;
}
template <class T>
T sum(T s, T t, T) {
  return s + t;
}
template <class T>
T difference(T s, T t, T) {
  return s - t;
}
template <class T>
T product(T s, T t, T) {
  return s * t;
}
template <class T>
T quotient(T s, T t, T) {
  return s / t;
}
template <class T>
T fused(T s, T t, T r) {
  return std::fma(s, t, r);
}
template <class T>
T reciprocal(T s, T, T) {
  return 1 / s;
}
template <class T>
T root(T s, T, T) {
  return std::sqrt(s);
}

// Rounded by f, clamped to the type; a NaN is 0 from float to 32 bits, else the lowest or 2^63.
template <class To, class From>
To whole(From value, From (*f)(From)) {
  if (std::isnan(value)) {
    if (sizeof(From) == 4 && sizeof(To) == 4) return 0;
    return static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1));
  }
  const auto exact = static_cast<long double>(f(value));
  if (exact >= static_cast<long double>(std::numeric_limits<To>::max()))
    return std::numeric_limits<To>::max();
  if (exact <= static_cast<long double>(std::numeric_limits<To>::min()))
    return std::numeric_limits<To>::min();
  return static_cast<To>(exact);
}

template <class To, class From>
To converted(int mode, From value) {
  const volatile From kept = value;
  std::fesetround(mode);
  const volatile To result = static_cast<To>(kept);
  std::fesetround(FE_TONEAREST);
  return result;
}

#define ROUNDED(mode, host, round)                                                         \
  CASE("__fadd_" #mode "(x, y)", in_mode<float>(host, sum<float>, x, y)),                  \
      CASE("__fsub_" #mode "(x, y)", in_mode<float>(host, difference<float>, x, y)),       \
      CASE("__fmul_" #mode "(x, y)", in_mode<float>(host, product<float>, x, y)),          \
      CASE("__fdiv_" #mode "(x, y)", in_mode<float>(host, quotient<float>, x, y)),         \
      CASE("__fmaf_" #mode "(x, y, z)", in_mode<float>(host, fused<float>, x, y, z)),      \
      CASE("__frcp_" #mode "(x)", in_mode<float>(host, reciprocal<float>, x)),             \
      CASE("__fsqrt_" #mode "(x)", in_mode<float>(host, root<float>, x)),                  \
      CASE("__dadd_" #mode "(a, b)", in_mode<double>(host, sum<double>, a, b)),            \
      CASE("__dsub_" #mode "(a, b)", in_mode<double>(host, difference<double>, a, b)),     \
      CASE("__dmul_" #mode "(a, b)", in_mode<double>(host, product<double>, a, b)),        \
      CASE("__ddiv_" #mode "(a, b)", in_mode<double>(host, quotient<double>, a, b)),       \
      CASE("__fma_" #mode "(a, b, c)", in_mode<double>(host, fused<double>, a, b, c)),     \
      CASE("__drcp_" #mode "(a)", in_mode<double>(host, reciprocal<double>, a)),           \
      CASE("__dsqrt_" #mode "(a)", in_mode<double>(host, root<double>, a)),                \
      CASE("__double2float_" #mode "(a)", (converted<float, double>(host, a))),            \
      CASE("__int2float_" #mode "(i)", (converted<float, int>(host, i))),                  \
      CASE("__uint2float_" #mode "(u)", (converted<float, unsigned>(host, u))),            \
      CASE("__ll2float_" #mode "(l)", (converted<float, long long>(host, l))),             \
      CASE("__ull2float_" #mode "(p)", (converted<float, unsigned long long>(host, p))),   \
      CASE("__ll2double_" #mode "(l)", (converted<double, long long>(host, l))),           \
      CASE("__ull2double_" #mode "(p)", (converted<double, unsigned long long>(host, p))), \
      CASE("__float2int_" #mode "(x)", (whole<int, float>(x, round))),                     \
      CASE("__float2uint_" #mode "(x)", (whole<unsigned, float>(x, round))),               \
      CASE("__float2ll_" #mode "(x)", (whole<long long, float>(x, round))),                \
      CASE("__float2ull_" #mode "(x)", (whole<unsigned long long, float>(x, round))),      \
      CASE("__double2int_" #mode "(a)", (whole<int, double>(a, round))),                   \
      CASE("__double2uint_" #mode "(a)", (whole<unsigned, double>(a, round))),             \
      CASE("__double2ll_" #mode "(a)", (whole<long long, double>(a, round))),              \
      CASE("__double2ull_" #mode "(a)", (whole<unsigned long long, double>(a, round)))

int signed24(int value) {
  return static_cast<int>(static_cast<unsigned>(value) << 8) >> 8;
}
__extension__ using Int128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

unsigned reversed(unsigned value) {
  unsigned result = 0;
  for (int n = 0; n < 32; ++n) result |= (value >> n & 1) << (31 - n);
  return result;
}
unsigned permuted(unsigned low, unsigned high, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
  unsigned result = 0;
  for (unsigned n = 0; n < 4; ++n) {
    unsigned byte = both >> (8 * (selector >> (4 * n) & 7)) & 0xFF;
    if ((selector >> (4 * n) & 8) != 0) byte = byte >= 0x80 ? 0xFF : 0;
    result |= byte << (8 * n);
  }
  return result;
}
template <class Byte>
int dot4(unsigned s, unsigned t, int add) {
  unsigned result = static_cast<unsigned>(add);
  for (unsigned n = 0; n < 4; ++n)
    result += static_cast<unsigned>(static_cast<Byte>(s >> (8 * n)) * static_cast<Byte>(t >> (8 * n)));
  return static_cast<int>(result);
}
template <class Half, class Byte>
int dot2(unsigned s, unsigned t, int add) {
  unsigned result = static_cast<unsigned>(add);
  for (unsigned n = 0; n < 2; ++n)
    result += static_cast<unsigned>(static_cast<Half>(s >> (16 * n)) * static_cast<Byte>(t >> (8 * n)));
  return static_cast<int>(result);
}
double clamped(double value) {
  return value > 0 ? std::min(value, 1.0) : 0.0;
}

}  // namespace

std::vector<FunctionCase> intrinsic_cases() {
  return {
      ROUNDED(rn, FE_TONEAREST, std::nearbyint),
      ROUNDED(rz, FE_TOWARDZERO, std::trunc),
      ROUNDED(ru, FE_UPWARD, std::ceil),
      ROUNDED(rd, FE_DOWNWARD, std::floor),
      CASE("__int2double_rn(i)", static_cast<double>(i)),
      CASE("__uint2double_rn(u)", static_cast<double>(u)),
      CLOSE("__expf(x)", std::exp(x)),
      CLOSE("__exp10f(fmodf(x, 9.0f))", std::pow(10.0F, std::fmod(x, 9.0F))),
      CLOSE("__logf(x)", std::log(x)),
      CLOSE("__log2f(x)", std::log2(x)),
      CLOSE("__log10f(x)", std::log10(x)),
      CLOSE("__sinf(x)", std::sin(x)),
      CLOSE("__cosf(x)", std::cos(x)),
      CLOSE("__tanf(fmodf(x, 1.5f))", std::tan(std::fmod(x, 1.5F))),
      CLOSE("__powf(fabsf(fmodf(x, 9.0f)) + 1.0f, fmodf(y, 3.0f))",
            std::exp2(std::fmod(y, 3.0F) * std::log2(std::fabs(std::fmod(x, 9.0F)) + 1.0F))),
      CLOSE("__fdividef(x, y)", x / y),
      CLOSE("fdividef(x, y)", x / y),
      CLOSE("__frsqrt_rn(x)", 1 / std::sqrt(x)),
      CASE("__saturatef(x)", static_cast<float>(clamped(x))),
      CASE("min(i, j)", std::min(i, j)),
      CASE("max(u, v)", std::max(u, v)),
      CASE("min(l, m)", std::min(l, m)),
      CASE("max(p, q)", std::max(p, q)),
      CASE("umin(u, v)", std::min(u, v)),
      CASE("llmax(l, m)", std::max(l, m)),
      CASE("i * j", static_cast<int>(static_cast<unsigned>(i) * static_cast<unsigned>(j))),
      CASE("u / (v | 1)", u / (v | 1)),
      CASE("(i >> 1) / (j | 1)", (i >> 1) / (j | 1)),
      CASE("(i >> 1) % (j | 1)", (i >> 1) % (j | 1)),
      CASE("(l >> 1) / (m | 1)", (l >> 1) / (m | 1)),
      CASE("p % (q | 1)", p % (q | 1)),
      CASE("(long long)(int)u << (v & 31)",
           static_cast<long long>(static_cast<unsigned long long>(static_cast<long long>(static_cast<int>(u)))
                                  << (v & 31))),
      CASE("__mulhi(i, j)", static_cast<int>(static_cast<long long>(i) * j >> 32)),
      CASE("__umulhi(u, v)", static_cast<unsigned>(static_cast<unsigned long long>(u) * v >> 32)),
      CASE("__mul64hi(l, m)", static_cast<long long>(static_cast<Int128>(l) * m >> 64)),
      CASE("__umul64hi(p, q)", static_cast<unsigned long long>(static_cast<Unsigned128>(p) * q >> 64)),
      CASE("__mul24(i, j)", static_cast<int>(static_cast<long long>(signed24(i)) * signed24(j))),
      CASE("__umul24(u, v)", (u & 0xFFFFFF) * (v & 0xFFFFFF)),
      CASE("__sad(i, j, u)", u + static_cast<unsigned>(std::abs(static_cast<long long>(i) - j))),
      CASE("__usad(u, v, w)", w + (u > v ? u - v : v - u)),
      CASE("__hadd(i, j)", static_cast<int>((static_cast<long long>(i) + j) >> 1)),
      CASE("__rhadd(i, j)", static_cast<int>((static_cast<long long>(i) + j + 1) >> 1)),
      CASE("__uhadd(u, v)", static_cast<unsigned>((static_cast<unsigned long long>(u) + v) >> 1)),
      CASE("__urhadd(u, v)", static_cast<unsigned>((static_cast<unsigned long long>(u) + v + 1) >> 1)),
      CASE("__popc(u)", std::popcount(u)),
      CASE("__popcll(p)", std::popcount(p)),
      CASE("__clz(i)", std::countl_zero(static_cast<unsigned>(i))),
      CASE("__clzll(l)", std::countl_zero(static_cast<unsigned long long>(l))),
      CASE("__ffs(i)", i == 0 ? 0 : std::countr_zero(static_cast<unsigned>(i)) + 1),
      CASE("__ffsll(l)", l == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(l)) + 1),
      CASE("__brev(u)", reversed(u)),
      CASE("__brevll(p)", static_cast<unsigned long long>(reversed(static_cast<unsigned>(p))) << 32 |
                              reversed(static_cast<unsigned>(p >> 32))),
      CASE("__byte_perm(u, v, w)", permuted(u, v, w)),
      CASE("__funnelshift_l(u, v, w)",
           static_cast<unsigned>(((static_cast<unsigned long long>(v) << 32 | u) << (w & 31)) >> 32)),
      CASE("__funnelshift_r(u, v, w)",
           static_cast<unsigned>((static_cast<unsigned long long>(v) << 32 | u) >> (w & 31))),
      CASE("__funnelshift_lc(u, v, w)",
           static_cast<unsigned>(((static_cast<unsigned long long>(v) << 32 | u) << std::min(w, 32U)) >> 32)),
      CASE("__funnelshift_rc(u, v, w)",
           static_cast<unsigned>((static_cast<unsigned long long>(v) << 32 | u) >> std::min(w, 32U))),
      CASE("__dp4a(i, j, k)", dot4<signed char>(static_cast<unsigned>(i), static_cast<unsigned>(j), k)),
      CASE("__dp4a(make_char4(i, j, k, 1), make_char4(k, -1, i, j), 5)",
           5 + 2 * static_cast<signed char>(i) * static_cast<signed char>(k) - static_cast<signed char>(j) +
               static_cast<signed char>(j)),
      CASE("(int)__dp2a_lo(make_ushort2(u, v), make_uchar4(w, 3, 0, 0), 7u)",
           7 + static_cast<unsigned short>(u) * static_cast<unsigned char>(w) +
               3 * static_cast<unsigned short>(v)),
      CASE("(int)__dp4a(u, v, w)", dot4<unsigned char>(u, v, static_cast<int>(w))),
      CASE("__dp2a_lo(i, j, k)",
           (dot2<short, signed char>(static_cast<unsigned>(i), static_cast<unsigned>(j), k))),
      CASE("(int)__dp2a_hi(u, v, w)", (dot2<unsigned short, unsigned char>(u, v >> 16, static_cast<int>(w)))),
      CASE("__float_as_int(x)", std::bit_cast<int>(x)),
      CASE("__uint_as_float(u)", std::bit_cast<float>(u)),
      CASE("__longlong_as_double(l)", std::bit_cast<double>(l)),
      CASE("__double2hiint(a)", static_cast<int>(std::bit_cast<long long>(a) >> 32)),
      CASE("__double2loint(a)", static_cast<int>(std::bit_cast<long long>(a))),
      CASE("__hiloint2double(i, j)",
           std::bit_cast<double>(static_cast<unsigned long long>(static_cast<unsigned>(i)) << 32 |
                                 static_cast<unsigned>(j))),
      CASE("(float)i", static_cast<float>(i)),
      CASE("(double)p", static_cast<double>(p)),
      CASE("(float)a", static_cast<float>(a)),
      CASE("(signed char)i", static_cast<signed char>(i)),
      CASE("(short)l", static_cast<short>(l)),
      CASE("(unsigned char)u", static_cast<unsigned char>(u)),
      CASE("(int)(x < y)", static_cast<int>(x < y)),
      CASE("(int)(a >= b)", static_cast<int>(a >= b)),
      CASE("x / y", x / y),
      CASE("a / b", a / b),
  };
}

}  // namespace warpmark::simulator::test
