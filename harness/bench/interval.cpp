#include "harness/bench/interval.h"

#include <algorithm>
#include <cmath>

namespace warpmark::bench {

std::optional<Interval> sign_test_interval(std::vector<double> values) {
  const std::size_t n = values.size();
  double term = std::exp2(-static_cast<double>(n));  // P(Binomial(n, 1/2) = k)
  double below = term;
  std::size_t k = 0;
  while (below <= (1 - kConfidence) / 2 && k < n / 2) {
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += term;
  }
  if (k == 0) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Interval{values[k - 1], values[n - k]};
}

}  // namespace warpmark::bench
