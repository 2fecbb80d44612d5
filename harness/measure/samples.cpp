#include "harness/measure/samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace warpmark::measure {

double log_ratio(const Round& round) {
  return (std::log(round.naive_ms[0]) + std::log(round.naive_ms[1]) - std::log(round.student_ms[0]) -
          std::log(round.student_ms[1])) /
         2;
}

std::vector<double> log_ratios(std::span<const Round> rounds) {
  std::vector<double> ratios;
  ratios.reserve(rounds.size());
  for (const Round& round : rounds) ratios.push_back(log_ratio(round));
  return ratios;
}

std::vector<double> naive_against_itself(std::span<const Round> rounds) {
  std::vector<double> ratios;
  ratios.reserve(rounds.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const double ratio =
        (std::log(rounds[i].naive_ms[0]) - std::log(rounds[i].naive_ms[1])) / std::numbers::sqrt2;
    ratios.push_back(i % 2 == 0 ? ratio : -ratio);
  }
  return ratios;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double naive_median_ms(std::span<const Round> rounds) {
  std::vector<double> samples;
  for (const Round& round : rounds) samples.insert(samples.end(), {round.naive_ms[0], round.naive_ms[1]});
  return median(std::move(samples));
}

double student_median_ms(std::span<const Round> rounds) {
  std::vector<double> samples;
  for (const Round& round : rounds) samples.insert(samples.end(), {round.student_ms[0], round.student_ms[1]});
  return median(std::move(samples));
}

std::optional<Interval> sign_test_interval(std::vector<double> values, double confidence) {
  const std::size_t n = values.size();
  const double miss = (1 - confidence) / 2;
  // Accumulates P(Binomial(n, 1/2) <= k) term by term.
  double term = std::exp2(-static_cast<double>(n));
  double below = term;
  std::size_t k = 0;
  while (below <= miss && k < n / 2) {
    ++k;
    term *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += term;
  }
  if (k == 0) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Interval{values[k - 1], values[n - k]};
}

}  // namespace warpmark::measure
