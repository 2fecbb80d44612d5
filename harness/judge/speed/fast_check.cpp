#include "harness/judge/speed/fast_check.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/base/parallel.h"
#include "harness/base/trace.h"
#include "harness/judge/speed/trial.h"
#include "harness/judge/speed/workbench.h"

namespace warpmark::judge {
namespace {

// Measurements spoiled by noise are repeated a limited number of times, because a machine may stay noisy.
constexpr int kFastAttempts = 3;       // maximum number of measurements of one kernel file
constexpr int kAttemptsBeyondOne = 6;  // maximum number of repeated measurements of all kernel files together

// Limits on timing plain C++ code, whose calls take about a hundred times as long as a kernel: number of
// rounds (four timed calls each) and seconds.
constexpr std::size_t kMostRoundsOnHost = 48;
// limit in seconds on timing one submitted file, tested every kLookEvery rounds
constexpr double kSecondsOnHost = 20;

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
    auto trial = try_version(
        *watch, workbench.reference(),
        [&](std::span<const measure::Round> rounds) {
          return measure::look_at(rounds, request.required_speedups, rigour_of(rule, rounds.size(), start));
        },
        threads_of(request));
    if (!trial) return fail_with(trial.error());
    trial->baseline = rule.baseline();
    const CaseData& data = workbench.data();
    const bool over_naive = !rule.host && rule.speed_unit == SpeedUnit::naive;
    const bool same_size = bench.course.timed_size == data.which.sizes();
    result = judged(bench.course,
                    {.rule = rule,
                     .required_speedups = request.required_speedups,
                     .n = data.which.n,
                     .work = data.problem->work(),
                     .least_ms = workbench.least_ms(),
                     .calibrated_ms = over_naive && same_size ? bench.course.calibration.naive_ms : 0},
                    *trial);
    const bool late = rule.host && seconds_since(start) > kSecondsOnHost;
    if (!is_noise(result) || spare_attempts == 0 || late) break;
    --spare_attempts;
  }
  return result;
}

// Takes the first `count` elements out of a vector.
std::vector<tl::expected<PairTimer, Cause>> first_of(std::vector<tl::expected<PairTimer, Cause>>& watches,
                                                     std::size_t count) {
  const auto end = watches.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<tl::expected<PairTimer, Cause>> taken(std::move_iterator(watches.begin()),
                                                    std::move_iterator(end));
  watches.erase(watches.begin(), end);
  return taken;
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
  // Versions in C++ get whole new inputs instead of changed ones; what an instructor's own judge makes is not
  // kept.
  if (prepared.workbench && !is_host(course.naive.engine) && bench.course.rubric.plain)
    PairTimer::make_changes_ahead(prepared.workbench->data());
  return prepared;
}

FastOutcomes check_fast(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation& prepared, unsigned jobs,
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
  all.timing.probed = bench.course.calibration.probed;
  all.timing.smaller_size = bench.course.speed.smaller_size;
  all.timing.before = workbench->reference().conditions();
  int spare_attempts = kAttemptsBeyondOne;
  const bool all_ready = prepared.watches.size() >= requests.size();
  const std::size_t side_by_side = all_ready ? requests.size() : workbench->side_by_side();
  for (std::size_t first = 0; first < requests.size(); first += side_by_side) {
    const std::size_t count = std::min(side_by_side, requests.size() - first);
    auto watches = all_ready ? first_of(prepared.watches, count) : workbench->prepare(count);
    workbench->control(watches);
    for (std::size_t i = first; i < first + count; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const TraceSpan span("fast", requests[i].rule->name);
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
