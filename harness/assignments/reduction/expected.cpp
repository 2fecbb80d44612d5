// The sum, and what a sum in another order may differ by.
//
// ints are added modulo 2^32 or 2^64. Floating-point numbers are added in the next wider type, compensated
// (Neumaier 1974): a plain float loop loses half of 2^26 ones.
//
// Whole numbers ("exact"): the data keep sum |x| below 2^24 or 2^53, so that every partial sum in every order
// is exact, and the answer must be equal.
//
// Others ("uniform", in [-1, 1]): |error| <= 8 u sqrt(n sum x^2) with u = 2^-24 or 2^-53. With random signs
// the partial sum of i values is about sqrt(i / n sum x^2), and so are its rounding errors divided by u.
// Added sequentially, the worst order that is independent of the values, they perform a random walk of
// standard deviation u sqrt(n sum x^2 / 2): 11 standard deviations are allowed. A bound based on sum |x|
// would accept an answer that omits half of the data from 2^14 values on; this one is far below the sum of
// half of the values at every size.
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "reduction.h"

namespace {

constexpr std::size_t kLanes = 8;  // independent partial sums, which hide the latency of additions

template <class T>
T sum_of_whole(const T* values, std::size_t n) {
  using Unsigned = std::make_unsigned_t<T>;
  Unsigned sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<Unsigned>(values[i]);
  return static_cast<T>(sum);
}

// A compensated sum: its error does not grow with the number of terms.
template <class Real>
struct CompensatedSum {
  Real sum = 0;
  Real lost = 0;

  void add(Real x) {
    const Real next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
};

template <class T>
T sum_of_real(const T* values, std::size_t n) {
  using Wide = std::conditional_t<sizeof(T) == sizeof(float), double, long double>;
  CompensatedSum<Wide> lanes[kLanes];
  for (std::size_t i = 0; i < n; ++i) lanes[i % kLanes].add(static_cast<Wide>(values[i]));
  CompensatedSum<Wide> all;
  Wide lost = 0;
  for (const auto& lane : lanes) {
    all.add(lane.sum);
    lost += lane.lost;
  }
  return static_cast<T>(all.sum + (all.lost + lost));
}

template <class T>
T tolerance_of_real(const T* values, std::size_t n) {
  double squares[kLanes] = {};
  bool whole = true;
  for (std::size_t i = 0; i < n; ++i) {
    const auto value = static_cast<double>(values[i]);
    squares[i % kLanes] += value * value;
    whole = whole && value == std::trunc(value);
  }
  double all = 0;
  for (const double part : squares) all += part;
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  return whole ? T{0} : static_cast<T>(8 * unit * std::sqrt(static_cast<double>(n) * all));
}

template <class T>
T sum_after(T sum, T old, T now) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(sum) + static_cast<Unsigned>(now) -
                          static_cast<Unsigned>(old));
  } else {
    using Wide = std::conditional_t<sizeof(T) == sizeof(float), double, long double>;
    return static_cast<T>(static_cast<Wide>(sum) - static_cast<Wide>(old) + static_cast<Wide>(now));
  }
}

// Returns the tolerance of a sum of n values after one of them changed; 0, for an exact sum, stays 0.
template <class T>
T tolerance_after(T tolerance, std::size_t n, double old, double now) {
  if (tolerance == 0) return tolerance;
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
  const double scale = 8 * unit * std::sqrt(static_cast<double>(n));
  const double squares = std::pow(static_cast<double>(tolerance) / scale, 2) + now * now - old * old;
  return static_cast<T>(scale * std::sqrt(std::max(squares, 0.0)));
}

}  // namespace

extern "C" reduce_fn expected;
extern "C" void expected(const value_t* values, std::size_t n, value_t* sum, Workspace, cudaStream_t) {
  if constexpr (std::is_integral_v<value_t>) {
    *sum = sum_of_whole(values, n);
  } else {
    *sum = sum_of_real(values, n);
  }
}

extern "C" reduce_fn tolerance;
extern "C" void tolerance(const value_t* values, std::size_t n, value_t* sum, Workspace, cudaStream_t) {
  if constexpr (std::is_integral_v<value_t>) {
    *sum = 0;
  } else {
    *sum = tolerance_of_real(values, n);
  }
}

// Timed calls change single values: the sum and its tolerance are carried on instead of computed anew. Whole
// numbers stay exact; the roundings of other sums' updates are far below the tolerance.
extern "C" void update(const value_t* values, std::size_t, value_t* sum, Workspace, std::size_t index,
                       value_t old, cudaStream_t) {
  *sum = sum_after(*sum, old, values[index]);
}

extern "C" void update_tolerance(const value_t* values, std::size_t n, value_t* sum, Workspace,
                                 std::size_t index, value_t old, cudaStream_t) {
  *sum = tolerance_after(*sum, n, static_cast<double>(old), static_cast<double>(values[index]));
}
