#include "harness/judge/speed/verdict.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace warpmark::judge {

using measure::Ground;

namespace {

// Returns the speedups that the check `fast` requires of a kernel file, without those that earn bonus points.
std::span<const double> without_bonus(const Asked& asked) {
  const auto beyond = std::ranges::count(asked.rule.steps, true, &SpeedStep::bonus);
  return std::span(asked.required_speedups).first(asked.required_speedups.size() - beyond);
}

Measurement measurement_of(const Asked& asked, const Trial& trial) {
  Measurement measured;
  measured.version = asked.rule.name;
  measured.n = asked.n;
  for (const measure::Round& round : trial.rounds) {
    measured.naive_ms.insert(measured.naive_ms.end(), std::begin(round.naive_ms), std::end(round.naive_ms));
    measured.student_ms.insert(measured.student_ms.end(), std::begin(round.student_ms),
                               std::end(round.student_ms));
  }
  const auto ratios = measure::log_ratios(trial.rounds);
  measured.naive_median_ms = measure::naive_median_ms(trial.rounds);
  measured.student_median_ms = measure::student_median_ms(trial.rounds);
  measured.speedup = std::exp(measure::median(ratios));
  measured.speedup_span = factors(measure::sign_test_interval(ratios));
  measured.control_span = factors(measure::sign_test_interval(measure::naive_against_itself(trial.rounds)));
  const auto required = without_bonus(asked);
  measured.threshold = required[std::min(trial.look.reached, required.size() - 1)];
  if (asked.required_speedups.size() > 1) measured.steps = asked.required_speedups;
  measured.over_reference = asked.rule.speed_unit == SpeedUnit::reference;
  measured.naive_before_ms = trial.naive_before_ms;
  measured.naive_after_ms = trial.naive_after_ms;
  measured.naive_calibrated_ms = asked.calibrated_ms;
  measured.beyond_events_ms = trial.student_excess_ms;
  measured.gb_per_s = asked.work.bytes / 1e6 / measured.student_median_ms;
  measured.gflops = asked.work.operations / 1e6 / measured.student_median_ms;
  return measured;
}

// Returns a failure reason for an impossible time: shorter than the L2 bandwidth allows, or contradicted by
// the judge process's clock.
std::optional<Cause> implausible(const VersionRule& rule, const Measurement& measured, const Trial& trial,
                                 double least_ms) {
  const double fastest = *std::min_element(measured.student_ms.begin(), measured.student_ms.end());
  if (fastest < least_ms) {
    return make_cause(CauseKind::implausible_time,
                      fmt::format("{:.4g} ms for one call, but not even L2 delivers {} values in less than "
                                  "{:.4g} ms: the function must do all of its work on the stream it is given",
                                  fastest, measured.n, least_ms));
  }
  if (trial.clocks != Clocks::hidden) return std::nullopt;
  if (!measure::clocks_agree(trial.naive_excess_ms, measured.naive_median_ms)) {
    return make_cause(CauseKind::implausible_time,
                      fmt::format("the {} takes {:.4g} ms by the events of {}, "
                                  "and {:.4g} ms more by the grader's own clock: the version must {}",
                                  rule.baseline(), measured.naive_median_ms,
                                  measured.over_reference ? "a process of its own" : "the version's process",
                                  trial.naive_excess_ms,
                                  measured.over_reference ? "leave no work to the GPU when its call is over"
                                                          : "leave CUDA's events and streams alone"));
  }
  return make_cause(
      CauseKind::implausible_time,
      fmt::format("a call takes {:.4g} ms by the events on its stream, but by the grader's own clock {:.4g} "
                  "ms more: all of the work must be queued on the stream that the function is given",
                  measured.student_median_ms, trial.student_excess_ms));
}

// Returns a text on the points earned for speed so far: "2 of 7 points: 1.9x; the next step is 3x. "; empty
// if speed earns all of the check's points or none.
std::string standing_text(const VersionRule& rule, const std::vector<PointPart>& parts,
                          const Measurement& measured) {
  double reached = 0;
  double all = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PointPart& part = parts[i];
    if (rule.steps[i].bonus) continue;
    all += part.points;
    if (part.reached) reached += part.points;
  }
  if (all == 0) return {};
  return fmt::format("{:g} of {:g} points: {:g}x; the next step is {:g}x. It is ", reached, all,
                     std::floor(measured.speedup * 100) / 100, measured.threshold);
}

Cause too_slow(const VersionRule& rule, const Measurement& measured, const measure::Look& look,
               const std::vector<PointPart>& parts) {
  const char* naive = rule.baseline();
  const double asked = rule.steps[look.reached].at_least;
  Cause cause;
  cause.kind = CauseKind::too_slow;
  cause.message = standing_text(rule, parts, measured);
  cause.message += fmt::format(
      "{:.2f} times as fast as the {}; {:g} times is required{}: {:.4f} ms against {:.4f} ms",
      measured.speedup, naive, measured.threshold,
      rule.host ? fmt::format(" ({:g} for each of {:g} cores)", asked, std::round(measured.threshold / asked))
                : "",
      measured.student_median_ms, measured.naive_median_ms);
  if (look.ground == Ground::hopeless) {
    cause.message +=
        fmt::format("; slower than the {} in all of the first {} rounds, so no more were measured", naive,
                    measure::kHopelessAfter);
  } else if (measured.speedup_span) {
    cause.message +=
        fmt::format(". {} rounds put it between {:.2f} and {:.2f} times", measured.student_ms.size() / 2,
                    measured.speedup_span->low, measured.speedup_span->high);
  }
  cause.expected = fmt::format("{:g} times", measured.threshold);
  cause.actual = fmt::format("{:.2f} times", measured.speedup);
  return cause;
}

}  // namespace

std::optional<Span> factors(const std::optional<measure::Interval>& logarithms) {
  if (!logarithms) return std::nullopt;
  return Span{std::exp(logarithms->low), std::exp(logarithms->high)};
}

FastOutcome judged(const Course& course, const Asked& asked, const Trial& trial) {
  const VersionRule& rule = asked.rule;
  FastOutcome result;
  Measurement& measured = result.measurement.emplace(measurement_of(asked, trial));
  const auto& calibrated = course.calibration.versions;
  measured.calibrated = !rule.host && !course.calibration.probed && rule.speed_unit == SpeedUnit::naive &&
                        calibrated.contains(rule.name);
  if (measured.calibrated) measured.reference_span = calibrated.at(rule.name).reference;
  auto& causes = result.outcome.causes;
  const auto required = without_bonus(asked);
  if (const Doubt doubt = doubt_about(trial, required, asked.calibrated_ms); doubt != Doubt::none) {
    measured.decided_by = "noise";
    causes.push_back(make_cause(CauseKind::noise, reason_of(doubt, trial, asked.calibrated_ms)));
  } else if (auto cause = implausible(rule, measured, trial, asked.least_ms)) {
    measured.decided_by = "clock";
    causes.push_back(std::move(*cause));
  } else {
    measured.decided_by = trial.look.ground == Ground::hopeless ? "hopeless"
                          : trial.look.ground == Ground::cap    ? "cap"
                                                                : "interval";
    auto& parts = result.outcome.parts;
    parts = course.parts_of(rule, Check::fast);
    for (std::size_t i = 0; i < std::min(parts.size(), trial.look.reached); ++i) parts[i].reached = true;
    if (trial.look.reached < required.size()) causes.push_back(too_slow(rule, measured, trial.look, parts));
  }
  return result;
}

bool is_noise(const FastOutcome& found) {
  return !found.outcome.causes.empty() && found.outcome.causes.front().kind == CauseKind::noise;
}

}  // namespace warpmark::judge
