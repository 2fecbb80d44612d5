// Samples and what is read off them: pure functions, no clock and no GPU.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace warpmark::measure {

// One interleaved round: naive, student, naive, student. Strictly in turns, because a call carries over into
// the next: on a quiet H200 the naive kernel (2^26 ints) took 1.633 ms after itself and 1.600 ms after any
// other version (2026-11-21, every time), so rounds with mirrored order compare unlike things. A drift of the
// machine meets the arms one call apart. Times of one call each in the order in which they were taken, in
// milliseconds, above 0.
struct Round {
  double naive_ms[2] = {0, 0};
  double student_ms[2] = {0, 0};
};

// The round's paired log ratio: (ln a1 + ln a2 - ln b1 - ln b2) / 2.
double log_ratio(const Round& round);
std::vector<double> log_ratios(std::span<const Round> rounds);

// The naive samples of each round against each other: (ln a1 - ln a2) / sqrt(2), which scatters as much as a
// log ratio of four samples does. The sign changes from round to round: a drift then falls on both sides of
// 0, and what is left is noise.
std::vector<double> naive_against_itself(std::span<const Round> rounds);

// The middle of the sorted values; the mean of both middle ones for an even number. Not for an empty list.
double median(std::vector<double> values);

// Medians over every sample of an arm.
double naive_median_ms(std::span<const Round> rounds);
double student_median_ms(std::span<const Round> rounds);

struct Interval {
  double low = 0;
  double high = 0;
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
};

// How surely the interval holds the true median. One look errs once in a thousand, on either side.
inline constexpr double kConfidence = 0.999;

// The sign-test interval of the median: from the k-th smallest to the k-th largest value, with the largest k
// for which 1 - 2 P(Binomial(n, 1/2) < k) is at least the confidence. It asks nothing of the distribution but
// that the values are independent. (Conover: Practical Nonparametric Statistics, 3rd ed., 3.2.) None below 11
// values.
std::optional<Interval> sign_test_interval(std::vector<double> values, double confidence = kConfidence);

}  // namespace warpmark::measure
