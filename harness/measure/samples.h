// Statistics of timing samples, as pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace warpmark::measure {

// One round of four timed calls in the order naive, student, naive, student; in milliseconds, above 0. The
// order is never mirrored, because a call affects the next one: on a quiet H200 the naive kernel (2^26 ints)
// took 1.633 ms after itself and 1.600 ms after any other kernel (2026-11-21, every time). The price is that
// a drift of the machine affects the student's calls one call later than the naive kernel's.
struct Round {
  double naive_ms[2] = {0, 0};
  double student_ms[2] = {0, 0};
};

// Returns the round's log ratio of the naive to the student's time: (ln a1 + ln a2 - ln b1 - ln b2) / 2 with
// naive times a and student times b. Above 0 if the student's kernel is faster.
double log_ratio(const Round& round);
std::vector<double> log_ratios(std::span<const Round> rounds);

// Returns, per round, the log ratio of the two naive times, (ln a1 - ln a2) / sqrt(2); the factor makes its
// variance that of log_ratio(). The sign alternates from round to round, so that a drift is symmetric around
// 0 and only noise remains.
std::vector<double> naive_against_itself(std::span<const Round> rounds);

// Returns the median; the mean of the middle two for an even count. `values` must not be empty.
double median(std::vector<double> values);

// Return the median of all times of the naive kernel or of the student's kernel, in milliseconds.
double naive_median_ms(std::span<const Round> rounds);
double student_median_ms(std::span<const Round> rounds);

struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

// Default confidence level: an interval misses the true median once in a thousand, both sides together.
inline constexpr double kConfidence = 0.999;

// Returns the sign-test confidence interval of the median: from the k-th smallest to the k-th largest value,
// with the largest k for which 1 - 2 P(Binomial(n, 1/2) < k) is at least the confidence. It assumes only that
// the values are independent. (Conover: Practical Nonparametric Statistics, 3rd ed., 3.2.) Returns nullopt
// below 11 values.
std::optional<Interval> sign_test_interval(std::vector<double> values, double confidence = kConfidence);

}  // namespace warpmark::measure
