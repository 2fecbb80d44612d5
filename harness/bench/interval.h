// The sign-test interval of a median.
#pragma once

#include <optional>
#include <vector>

namespace warpmark::bench {

struct Interval {
  double low = 0;
  double high = 0;
};

inline constexpr double kConfidence = 0.999;

// From the k-th smallest to the k-th largest value, with the largest k for which 1 - 2 P(Binomial(n, 1/2) < k)
// is at least the confidence. None below 11 values.
std::optional<Interval> sign_test_interval(std::vector<double> values);

}  // namespace warpmark::bench
