#include "harness/judge/speed/fast_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/base/parallel.h"
#include "harness/judge/speed/trial.h"
#include "harness/judge/speed/workbench.h"

namespace warpmark::judge {
namespace {

using measure::Decision;
using measure::Ground;

// Measurements spoiled by noise are repeated a limited number of times, because a machine may stay noisy.
constexpr int kFastAttempts = 3;       // maximum number of measurements of one kernel file
constexpr int kAttemptsBeyondOne = 6;  // maximum number of repeated measurements of all kernel files together

// Limits on timing plain C++ code, whose calls take about a hundred times as long as a kernel: number of
// rounds (four timed calls each) and seconds.
constexpr std::size_t kMostRoundsOnHost = 48;
// limit in seconds on timing one submitted file, tested every kLookEvery rounds
constexpr double kSecondsOnHost = 20;

std::optional<Span> factors(const std::optional<measure::Interval>& logarithms) {
  if (!logarithms) return std::nullopt;
  return Span{std::exp(logarithms->low), std::exp(logarithms->high)};
}

// Returns the speedups that the check `fast` requires of a kernel file, without those that earn bonus points.
std::span<const double> without_bonus(const FastRequest& request) {
  const auto beyond = std::ranges::count(request.rule->steps, true, &SpeedStep::bonus);
  return std::span(request.required_speedups).first(request.required_speedups.size() - beyond);
}

Measurement measurement_of(const FastRequest& request, const Case& which, const Trial& trial,
                           const Work& work, double calibrated_ms) {
  Measurement measured;
  measured.version = request.rule->name;
  measured.n = which.n;
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
  const auto required = without_bonus(request);
  measured.threshold = required[std::min(trial.look.reached, required.size() - 1)];
  if (request.required_speedups.size() > 1) measured.steps = request.required_speedups;
  measured.over_reference = request.rule->speed_unit == SpeedUnit::reference;
  measured.naive_before_ms = trial.naive_before_ms;
  measured.naive_after_ms = trial.naive_after_ms;
  measured.naive_calibrated_ms = calibrated_ms;
  measured.beyond_events_ms = trial.student_excess_ms;
  measured.gb_per_s = work.bytes / 1e6 / measured.student_median_ms;
  measured.gflops = work.operations / 1e6 / measured.student_median_ms;
  return measured;
}

const char* baseline_of(const VersionRule& rule) {
  if (rule.speed_unit == SpeedUnit::reference) return "course's solution";
  return rule.host ? "sequential version" : "naive kernel";
}

// Returns a failure reason for an impossible time: shorter than the L2 bandwidth allows, or contradicted by
// the judge process's clock.
std::optional<Cause> implausible(const Measurement& measured, const Trial& trial, double least_ms) {
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
                      fmt::format("the naive kernel takes {:.4g} ms by the events of the version's process, "
                                  "and {:.4g} ms more by the grader's own clock: the version must leave "
                                  "CUDA's events and streams alone",
                                  measured.naive_median_ms, trial.naive_excess_ms));
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
  const char* naive = baseline_of(rule);
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

// Converts the timings to a measurement with its verdict; adds a failure reason unless the required speedup
// is reached.
FastOutcome judged(const GradingContext& bench, const FastRequest& request, const CaseData& data,
                   const Trial& trial, double least_ms) {
  const VersionRule& rule = *request.rule;
  const Case& which = data.which;
  const bool over_naive = !rule.host && rule.speed_unit == SpeedUnit::naive;
  const auto calibrated_ms =
      over_naive && bench.course.timed_size == which.sizes() ? bench.course.calibration.naive_ms : 0;
  FastOutcome result;
  Measurement& measured =
      result.measurement.emplace(measurement_of(request, which, trial, data.problem->work(), calibrated_ms));
  const auto& calibrated = bench.course.calibration.versions;
  measured.calibrated = over_naive && calibrated.contains(rule.name);
  if (measured.calibrated) measured.reference_span = calibrated.at(rule.name).reference;
  auto& causes = result.outcome.causes;
  const auto required = without_bonus(request);
  if (const Doubt doubt = doubt_about(trial, required, calibrated_ms); doubt != Doubt::none) {
    measured.decided_by = "noise";
    causes.push_back(make_cause(CauseKind::noise, reason_of(doubt, trial, calibrated_ms)));
  } else if (auto cause = implausible(measured, trial, least_ms)) {
    measured.decided_by = "clock";
    causes.push_back(std::move(*cause));
  } else {
    measured.decided_by = trial.look.ground == Ground::hopeless ? "hopeless"
                          : trial.look.ground == Ground::cap    ? "cap"
                                                                : "interval";
    auto& parts = result.outcome.parts;
    parts = bench.course.parts_of(rule, Check::fast);
    for (std::size_t i = 0; i < std::min(parts.size(), trial.look.reached); ++i) parts[i].reached = true;
    if (trial.look.reached < required.size()) causes.push_back(too_slow(rule, measured, trial.look, parts));
  }
  return result;
}

measure::Rigour rigour_of(const VersionRule& rule, std::size_t rounds,
                          std::chrono::steady_clock::time_point start) {
  if (!rule.host) return {};
  const bool late = seconds_since(start) > kSecondsOnHost;
  return {measure::kHostControlWidth, late ? rounds : kMostRoundsOnHost};
}

// Returns the number of threads for which the required speedup was computed.
unsigned threads_of(const FastRequest& request) {
  const VersionRule& rule = *request.rule;
  return rule.host ? static_cast<unsigned>(
                         std::lround(request.required_speedups.front() / rule.steps.front().at_least))
                   : 1;
}

bool is_noise(const FastOutcome& found) {
  return !found.outcome.causes.empty() && found.outcome.causes.front().kind == CauseKind::noise;
}

FastOutcome check_one(const GradingContext& bench, Workbench& workbench, const FastRequest& request,
                      tl::expected<PairTimer, Cause>& watch, int& spare_attempts) {
  const VersionRule& rule = *request.rule;
  FastOutcome result;
  const auto fail_with = [&](const Cause& cause) {
    result.outcome.causes = {cause};
    return result;
  };
  if (!watch) return fail_with(watch.error());
  if (auto loaded = watch->load_student(request.built, rule.name); !loaded) return fail_with(loaded.error());
  const auto start = std::chrono::steady_clock::now();
  for (int attempt = 0; attempt < kFastAttempts; ++attempt) {
    const auto trial = try_version(
        *watch, workbench.reference(),
        [&](std::span<const measure::Round> rounds) {
          return measure::look_at(rounds, request.required_speedups, rigour_of(rule, rounds.size(), start));
        },
        threads_of(request));
    if (!trial) return fail_with(trial.error());
    result = judged(bench, request, workbench.data(), *trial, workbench.least_ms());
    const bool late = rule.host && seconds_since(start) > kSecondsOnHost;
    if (!is_noise(result) || spare_attempts == 0 || late) break;
    --spare_attempts;
  }
  return result;
}

void name_case(const GradingContext& bench, const Case& which, const std::string& version,
               FastOutcome& found) {
  for (Cause& cause : found.outcome.causes) {
    if (cause.file.empty()) cause.file = bench.submission.files.at(version).name;
    name_input(cause, which);
  }
}

}  // namespace

Case timed_case(const GradingContext& bench, Engine engine) {
  const bool host = is_host(engine);
  const std::string& type = host ? bench.course.rubric.host.type : bench.course.rubric.fast.type;
  return bench.assignment.case_of(
      type, bench.assignment.data_classes(type).front(),
      bench.course.focus.size.value_or(host ? bench.course.rubric.host.size : bench.course.timed_size),
      bench.course.focus.seed.value_or(mix(bench.seed)));
}

FastPreparation prepare_fast(const GradingContext& bench, const CourseKernels& course, std::size_t versions,
                             std::size_t others) {
  FastPreparation prepared{Workbench::make(bench, timed_case(bench, course.naive.engine), course), {}};
  if (prepared.workbench && prepared.workbench->fitting() >= versions + others) {
    prepared.watches = prepared.workbench->prepare(versions);
  }
  return prepared;
}

FastOutcomes check_fast(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation prepared, unsigned jobs,
                        const std::function<void(const FastRequest&, const FastOutcome&)>& done) {
  const Case which = timed_case(bench, requests.front().built.engine);
  FastOutcomes all;
  all.versions.resize(requests.size());
  auto& workbench = prepared.workbench;
  if (!workbench) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      all.versions[i].outcome.causes = {workbench.error()};
      name_case(bench, which, requests[i].rule->name, all.versions[i]);
    }
    return all;
  }
  all.doubles = workbench->data().problem->work().doubles;
  all.timing.calibration = bench.course.calibration.source;
  all.timing.before = workbench->reference().conditions();
  int spare_attempts = kAttemptsBeyondOne;
  const bool all_ready = prepared.watches.size() >= requests.size();
  const std::size_t side_by_side = all_ready ? requests.size() : workbench->side_by_side();
  for (std::size_t first = 0; first < requests.size(); first += side_by_side) {
    const std::size_t count = std::min(side_by_side, requests.size() - first);
    auto watches = all_ready ? std::exchange(prepared.watches, {}) : workbench->prepare(count);
    workbench->control(watches);
    for (std::size_t i = first; i < first + count; ++i) {
      const auto start = std::chrono::steady_clock::now();
      all.versions[i] = check_one(bench, *workbench, requests[i], watches[i - first], spare_attempts);
      all.versions[i].outcome.seconds = seconds_since(start);
      if (done) done(requests[i], all.versions[i]);
    }
    // Verify that inputs are unchanged after all timing, because reading them back would disturb the next
    // kernel's times.
    in_parallel(count, jobs, [&](std::size_t k) {
      CheckOutcome& outcome = all.versions[first + k].outcome;
      auto& causes = outcome.causes;
      const bool decided = causes.empty() || causes.front().kind == CauseKind::too_slow;
      if (!watches[k] || !decided) return;
      if (auto untouched = watches[k]->input_is_untouched(); !untouched) {
        causes = {untouched.error()};
        outcome.parts.clear();
      }
      // Overwriting a kernel file's timer ends its worker process, which takes 0.1 s.
      watches[k] = tl::unexpected(make_cause(CauseKind::internal, "ended"));
    });
    for (std::size_t k = 0; k < count; ++k) {
      name_case(bench, which, requests[first + k].rule->name, all.versions[first + k]);
    }
  }
  all.timing.control_span = factors(workbench->reference().interval());
  all.timing.after = workbench->reference().conditions();
  return all;
}

}  // namespace warpmark::judge
