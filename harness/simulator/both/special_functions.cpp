#include "harness/simulator/both/special_functions.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace warpmark::simulator {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTwoBySqrtPi = 2 * std::numbers::inv_sqrtpi;

// Returns the Euclidean norm of the values, scaled by the largest one to avoid overflow.
template <class... T>
double length(T... values) {
  double largest = 0;
  bool infinite = false;
  ((largest = std::fmax(largest, std::fabs(values)), infinite = infinite || std::isinf(values)), ...);
  if (infinite) return kInfinity;
  if (largest == 0) return (std::fabs(values) + ...);
  const double sum = ((values / largest * (values / largest)) + ...);
  return largest * std::sqrt(sum);
}

// Returns the solution x >= 0 of erfc(x) = y for 0 < y <= 1, by Newton's method on log(erfc(x)), which is
// nearly a parabola. Starts from the first term of the expansion for small y.
double positive_erfcinv(double y) {
  double x = y > 0.5 ? (1 - y) / kTwoBySqrtPi : std::sqrt(-std::log(y * std::sqrt(std::numbers::pi * 0.7)));
  if (std::isnan(x)) x = 0.5;
  for (int step = 0; step < 60; ++step) {
    // Newton step: the derivative of log(erfc(x)) is -2/sqrt(pi) / erfcx(x).
    const double ratio = y > 0.5 ? (std::erf(x) - (1 - y)) * -std::exp(x * x) / kTwoBySqrtPi
                                 : (std::log(std::erfc(x)) - std::log(y)) * erfcx(x) / kTwoBySqrtPi;
    x += ratio;
    if (std::fabs(ratio) <= 1e-16 * std::fabs(x)) break;
  }
  return x;
}

// Modified Bessel function of the first kind. Large arguments overflow; std::cyl_bessel_i would throw there,
// because its series does not converge.
double bessel_i(double order, double x) {
  constexpr double overflows = 720;
  if (std::isnan(x)) return x;
  return std::fabs(x) > overflows ? kInfinity : std::cyl_bessel_i(order, std::fabs(x));
}

}  // namespace

double rsqrt(double x) {
  return 1 / std::sqrt(x);
}
double rcbrt(double x) {
  return 1 / std::cbrt(x);
}
double rhypot(double x, double y) {
  return 1 / std::hypot(x, y);
}
double norm3d(double x, double y, double z) {
  return length(x, y, z);
}
double rnorm3d(double x, double y, double z) {
  return 1 / length(x, y, z);
}
double norm4d(double x, double y, double z, double w) {
  return length(x, y, z, w);
}
double rnorm4d(double x, double y, double z, double w) {
  return 1 / length(x, y, z, w);
}

// Returns sin(pi * x). x is first reduced to the nearest quarter turn, which is exact, so that the angle
// passed to sin or cos is small.
double sinpi(double x) {
  const double turns = std::fmod(x, 2.0);
  const double quarters = std::round(2 * turns);
  const double angle = std::numbers::pi * (turns - quarters / 2);
  switch (static_cast<int>(std::isfinite(x) ? quarters : 0) & 3) {
    case 0:
      return angle == 0 ? std::copysign(angle, x) : std::sin(angle);
    case 1:
      return std::cos(angle);
    case 2:
      return angle == 0 ? std::copysign(angle, x) : -std::sin(angle);
    default:
      return -std::cos(angle);
  }
}
double cospi(double x) {
  const double turns = std::fabs(std::fmod(x, 2.0));
  const double quarters = std::round(2 * turns);
  const double angle = std::numbers::pi * (turns - quarters / 2);
  switch (static_cast<int>(std::isfinite(x) ? quarters : 0) & 3) {
    case 0:
      return std::cos(angle);
    case 1:
      return 0 - std::sin(angle);
    case 2:
      return -std::cos(angle);
    default:
      return std::sin(angle);
  }
}
double exp10(double x) {
  return std::pow(10.0, x);
}

double erfcx(double x) {
  if (x < 20) return std::exp(x * x) * std::erfc(x);
  // erfcx by its asymptotic expansion in 1/x^2: for x >= 20 the first omitted term is below 1e-15
  const double s = 1 / (x * x);
  const double series =
      1 - s * (0.5 - s * (0.75 - s * (1.875 - s * (6.5625 - s * (29.53125 - s * 162.421875)))));
  return std::numbers::inv_sqrtpi / x * series;
}

double erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return kNan;
  if (y == 0) return kInfinity;
  if (y == 2) return -kInfinity;
  return y > 1 ? -positive_erfcinv(2 - y) : positive_erfcinv(y);
}
double erfinv(double y) {
  if (y == 0) return y;
  // Computes small |y| iteratively, not as erfcinv(1 - y), because 1 - y loses low-order bits of y.
  if (std::fabs(y) < 0.5) {
    double x = y / kTwoBySqrtPi;
    for (int step = 0; step < 60; ++step) {
      const double change = (std::erf(x) - y) * std::exp(x * x) / kTwoBySqrtPi;
      x -= change;
      if (std::fabs(change) <= 1e-16 * std::fabs(x)) break;
    }
    return x;
  }
  return erfcinv(1 - y);
}
double normcdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}
double normcdfinv(double p) {
  return -std::numbers::sqrt2 * erfcinv(2 * p);
}

double cyl_bessel_i0(double x) {
  return bessel_i(0, x);
}
double cyl_bessel_i1(double x) {
  return std::copysign(bessel_i(1, x), x);
}

double frexp_fraction(double x) {
  int exponent = 0;
  return std::frexp(x, &exponent);
}
int frexp_exponent(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::isfinite(fraction) ? exponent : 0;
}
int remquo_bits(double x, double y) {
  int quotient = 0;
  std::remquo(x, y, &quotient);
  return quotient;
}

}  // namespace warpmark::simulator
