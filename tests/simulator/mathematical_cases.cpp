// Where the host's library has the function, its text is the host's code, too; CUDA's own are written out.
#include <cmath>
#include <numbers>

#include "tests/simulator/function_cases.h"

namespace warpmark::simulator::test {
namespace {

#define OPERANDS [[maybe_unused]] const auto& [x, y, z, a, b, c, i, j, k, u, v, w, l, m, p, q] = operands
#define SAME(expression)                            \
  FunctionCase {                                    \
#expression, [](const Operands& operands) {       \
                 OPERANDS;                                       \
                 using namespace std;                            \
                 return value_of(expression);                    \
               } \
  }
#define CLOSE(expression, host, tolerance) \
  FunctionCase {                           \
    expression,                            \
        [](const Operands& operands) {     \
          OPERANDS;                        \
          return value_of(host);           \
        },                                 \
        tolerance                          \
  }
#define BOTH_1(name) SAME(name##f(x)), SAME(name(a)), SAME(std::name(y)), SAME(std::name(b))
#define BOTH_2(name) SAME(name##f(x, y)), SAME(name(a, b)), SAME(std::name(y, z)), SAME(std::name(b, c))
#define OWN_1(name, host_of_x, host_of_a) \
  CLOSE(#name "f(x)", static_cast<float>(host_of_x), 1e-6), CLOSE(#name "(a)", host_of_a, 1e-13)

constexpr double kRoot2 = std::numbers::sqrt2;

// The function whose inverse CUDA has, applied to the inverse: gives the argument back.
double in_unit(double value) {
  return std::fmod(std::fabs(value), 1.0);
}

double sine_of_half_turns(double turns) {
  const double rest = std::fmod(turns, 2.0);
  return rest == std::trunc(rest) ? 0 : std::sin(std::numbers::pi * rest);
}

}  // namespace

std::vector<FunctionCase> mathematical_cases() {
  return {
      BOTH_1(acos),
      BOTH_1(acosh),
      BOTH_1(asin),
      BOTH_1(asinh),
      BOTH_1(atan),
      BOTH_1(atanh),
      BOTH_1(cbrt),
      BOTH_1(ceil),
      BOTH_1(cos),
      BOTH_1(cosh),
      BOTH_1(erf),
      BOTH_1(erfc),
      BOTH_1(exp),
      BOTH_1(exp2),
      BOTH_1(expm1),
      BOTH_1(fabs),
      BOTH_1(floor),
      BOTH_1(lgamma),
      BOTH_1(log),
      BOTH_1(log10),
      BOTH_1(log1p),
      BOTH_1(log2),
      BOTH_1(logb),
      BOTH_1(nearbyint),
      BOTH_1(rint),
      BOTH_1(round),
      BOTH_1(sin),
      BOTH_1(sinh),
      BOTH_1(sqrt),
      BOTH_1(tan),
      BOTH_1(tanh),
      BOTH_1(tgamma),
      BOTH_1(trunc),
      BOTH_2(atan2),
      BOTH_2(copysign),
      BOTH_2(fdim),
      BOTH_2(fmax),
      BOTH_2(fmin),
      BOTH_2(fmod),
      BOTH_2(hypot),
      BOTH_2(nextafter),
      BOTH_2(pow),
      BOTH_2(remainder),
      SAME(fmaf(x, y, z)),
      SAME(fma(a, b, c)),
      SAME(std::fma(x, y, z)),
      SAME(ldexpf(x, i % 99)),
      SAME(ldexp(a, i % 999)),
      SAME(scalbnf(x, j % 99)),
      SAME(scalbn(a, j % 99)),
      SAME(scalbln(a, (long)(j % 99))),
      SAME(ilogb(a)),
      SAME(ilogbf(x)),
      SAME(lrint(std::fmod(a, 1e15))),
      SAME(lround(std::fmod(a, 1e15))),
      SAME(llrintf(std::fmod(x, 1e9f))),
      SAME(llround(std::fmod(a, 1e15))),
      // Integers count as double, and so do different types.
      SAME(sqrt(i & 0xffff)),
      SAME(std::pow(x, i % 9)),
      SAME(std::pow(u % 7, 3)),
      SAME(1 + std::fmax(x, a)),
      SAME(std::sin(i)),
      SAME(abs(i >> 1)),
      SAME(std::abs(l >> 1)),
      SAME(std::abs(x)),
      SAME(std::abs(b)),
      SAME(llabs(m >> 1)),
      SAME((int)std::isnan(x)),
      SAME((int)std::isinf(a)),
      SAME((int)std::isfinite(y)),
      SAME((int)std::signbit(b)),
      SAME(j0(a)),
      SAME(j1(a)),
      SAME(y0(a)),
      SAME(y1(a)),
      SAME(jn(i & 7, a)),
      SAME(yn(i & 7, a)),
      OWN_1(rsqrt, 1 / std::sqrt(x), 1 / std::sqrt(a)),
      OWN_1(rcbrt, 1 / std::cbrt(x), 1 / std::cbrt(a)),
      OWN_1(exp10, std::pow(10.0, x), std::pow(10.0, a)),
      OWN_1(normcdf, 0.5 * std::erfc(-x / kRoot2), 0.5 * std::erfc(-a / kRoot2)),
      CLOSE("cyl_bessel_i0(fmod(a, 50.0))", std::cyl_bessel_i(0.0, std::fabs(std::fmod(a, 50.0))), 1e-13),
      CLOSE("cyl_bessel_i1f(fabsf(fmodf(x, 50.0f)))",
            static_cast<float>(std::cyl_bessel_i(1.0, std::fabs(std::fmod(double{x}, 50.0)))), 1e-6),
      CLOSE("cyl_bessel_i0(1e5 + 0 * x)", std::isfinite(x) ? HUGE_VAL : std::nan(""), 0),
      CLOSE("sinpi(fmod(a, 64.0))", sine_of_half_turns(a), 1e-12),
      CLOSE("cospif(fmodf(x, 64.0f))",
            static_cast<float>(std::cos(std::numbers::pi * std::fmod(double{x}, 2.0))), 1e-6),
      CLOSE("erf(erfinv(fmod(a, 1.0)))", std::fmod(a, 1.0), 1e-13),
      CLOSE("erfc(erfcinv(2 * fmod(fabs(a), 1.0)))", 2 * in_unit(a), 1e-13),
      CLOSE("normcdf(normcdfinv(fmod(fabs(a), 1.0)))", in_unit(a), 1e-13),
      CLOSE("erfcx(fmod(a, 25.0))",
            std::exp(std::fmod(a, 25.0) * std::fmod(a, 25.0)) * std::erfc(std::fmod(a, 25.0)), 1e-12),
      CLOSE("rhypot(a, b)", 1 / std::hypot(a, b), 1e-13),
      CLOSE("rhypotf(x, y)", static_cast<float>(1 / std::hypot(double{x}, double{y})), 1e-6),
      CLOSE("norm3d(a, b, 2.0)", std::hypot(std::hypot(a, b), 2.0), 1e-13),
      CLOSE("rnorm3df(x, y, 2.0f)", static_cast<float>(1 / std::hypot(std::hypot(double{x}, double{y}), 2.0)),
            1e-6),
      CLOSE("norm4d(a, b, 3.0, 1.0)", std::hypot(std::hypot(a, b), std::hypot(3.0, 1.0)), 1e-12),
      CLOSE("rnorm4d(a, b, 3.0, 1.0)", 1 / std::hypot(std::hypot(a, b), std::hypot(3.0, 1.0)), 1e-12),
      CLOSE("norm_of(x, y)", static_cast<float>(std::sqrt(double{x} * double{x} + double{y} * double{y})),
            1e-6),
      CLOSE("fraction_and_exponent(a)", a, 0),
      CLOSE("whole_and_rest(a)", a, 0),
      CLOSE("sine_and_cosine(x)", std::sin(x) + 2 * std::cos(x), 0),
      CLOSE(
          "quotient_of(a, b)",
          [](double of, double by) {
            int quotient = 0;
            const double rest = std::remquo(of, by, &quotient);
            return std::isnan(rest) ? rest : rest + quotient;
          }(a, b),
          0),
  };
}

}  // namespace warpmark::simulator::test
