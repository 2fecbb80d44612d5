#include "harness/measure/decision.h"

#include <algorithm>
#include <cmath>

namespace warpmark::measure {

bool is_quiet(const std::optional<Interval>& control, double width) {
  return control && control->holds(0) && control->low >= -width && control->high <= width;
}

bool others_explain(double cores_taken, double speedup, double threshold) {
  // Cap on the share of a core that other processes took, so that the divisor, 1 minus that share, stays
  // above 0.
  constexpr double kMostTaken = 0.95;
  return cores_taken >= kLeastTaken && speedup / (1 - std::min(cores_taken, kMostTaken)) >= threshold;
}

bool cores_explain(double cores_had, unsigned threads, double speedup, double threshold) {
  return cores_had < kWholeCores * threads && speedup * threads >= threshold * cores_had;
}

bool agree(double one_ms, double other_ms) {
  return std::abs(std::log(one_ms / other_ms)) <= std::log(1 + kNaiveTolerance);
}

Look look_at(std::span<const Round> rounds, std::span<const double> steps, const Rigour& rigour) {
  const auto ratios = log_ratios(rounds);
  const bool all_slower = std::all_of(ratios.begin(), ratios.end(), [](double ratio) { return ratio < 0; });
  if (rounds.size() == kHopelessAfter && all_slower && steps.front() > 1) {
    return {Decision::failed, Ground::hopeless};
  }
  if (rounds.empty() || rounds.size() % kLookEvery != 0) return {};
  const bool last = rounds.size() >= rigour.most_rounds;
  if (!is_quiet(sign_test_interval(naive_against_itself(rounds)), rigour.control_width)) {
    return last ? Look{Decision::noise, Ground::control} : Look{};
  }
  const auto interval = sign_test_interval(ratios);
  Look look{Decision::passed, Ground::interval};
  for (const double step : steps) {
    if (interval->high < std::log(step)) break;
    if (!(interval->low >= std::log(step))) {
      if (!last) return {};
      look.ground = Ground::cap;
      if (!(median(ratios) >= std::log(kAtTheCap * step))) break;
    }
    ++look.reached;
  }
  if (look.reached < steps.size()) look.decision = Decision::failed;
  return look;
}

std::size_t within_of_fastest(const Interval& own, double own_median, const Interval& best,
                              double best_median, std::span<const double> within) {
  std::size_t reached = 0;
  for (const double ratio : within) {
    const double limit = std::log(ratio);
    const bool surely = best.high - own.low <= limit;
    const bool surely_not = best.low - own.high > limit;
    const bool enough = best_median - own_median <= limit - std::log(kAtTheCap);
    if (surely_not || !(surely || enough)) break;
    ++reached;
  }
  return reached;
}

}  // namespace warpmark::measure
