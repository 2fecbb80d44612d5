// Whether a version reaches its threshold: pure functions of samples, no clock and no GPU.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace warpmark::measure {

// One interleaved round: naive, student, student, naive, or its mirror image, so that a drift of the machine
// meets both alike. Times of one call each, in milliseconds, above 0.
struct Round {
  double naive_ms[2] = {0, 0};
  double student_ms[2] = {0, 0};
};

// The round's paired log ratio: (ln a1 + ln a2 - ln b1 - ln b2) / 2.
double log_ratio(const Round& round);

// The middle of the sorted values; the mean of both middle ones for an even number. Not for an empty span.
double median(std::vector<double> values);

struct Estimate {
  double speedup = 0;  // exp of the median of the rounds' log ratios
  double naive_median_ms = 0;
  double student_median_ms = 0;
};
Estimate estimate(std::span<const Round> rounds);

enum class Decision { reached, missed };

// reached when the speedup is at least the threshold.
Decision decide(const Estimate& estimate, double threshold);

}  // namespace warpmark::measure
