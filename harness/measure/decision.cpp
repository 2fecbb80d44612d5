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

Look look_at(std::span<const Round> rounds, double threshold, const Rigour& rigour) {
  const auto ratios = log_ratios(rounds);
  const bool all_slower = std::all_of(ratios.begin(), ratios.end(), [](double ratio) { return ratio < 0; });
  if (rounds.size() == kHopelessAfter && all_slower && threshold > 1) {
    return {Decision::failed, Ground::hopeless};
  }
  if (rounds.empty() || rounds.size() % kLookEvery != 0) return {};
  const bool last = rounds.size() >= rigour.most_rounds;
  if (!is_quiet(sign_test_interval(naive_against_itself(rounds)), rigour.control_width)) {
    return last ? Look{Decision::noise, Ground::control} : Look{};
  }
  const auto interval = sign_test_interval(ratios);
  if (interval->low >= std::log(threshold)) return {Decision::passed, Ground::interval};
  if (interval->high < std::log(threshold)) return {Decision::failed, Ground::interval};
  if (!last) return {};
  const bool enough = median(ratios) >= std::log(kAtTheCap * threshold);
  return {enough ? Decision::passed : Decision::failed, Ground::cap};
}

}  // namespace warpmark::measure
