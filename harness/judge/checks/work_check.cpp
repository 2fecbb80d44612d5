#include "harness/judge/checks/work_check.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/base/counters.h"
#include "harness/build/diagnostics.h"
#include "harness/build/excerpt.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/cases/counted.h"
#include "harness/judge/checks/unused_work.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/rules/plan.h"

namespace warpmark::judge {
namespace {

// Returns a source line's contribution to a performance counter of the rubric; 0 for counters that are not
// recorded per line.
double cost_of(const CountedLine& line, WorkCounter counter) {
  switch (counter) {
    case WorkCounter::atomics_a_value:
    case WorkCounter::atomics_a_thread:
    case WorkCounter::stores_a_block:  // a minimum; too few block stores mean atomics were used instead
      return static_cast<double>(line.atomics);
    case WorkCounter::shared_atomics_a_thread:
      return static_cast<double>(line.shared_atomics);
    case WorkCounter::load_requests_a_value:
      return static_cast<double>(line.requests);
    case WorkCounter::sectors_a_request:
    case WorkCounter::bytes_read_a_value:
      return static_cast<double>(line.requests) * line.sectors_per_request;
    case WorkCounter::shared_requests_a_warp:
      return static_cast<double>(line.shared_requests);
    case WorkCounter::conflicts_a_request:
      return static_cast<double>(line.bank_conflicts);
    case WorkCounter::barriers_a_block:
      return static_cast<double>(line.barriers);
    case WorkCounter::threads_a_value:
    case WorkCounter::busy_threads_a_value:
    case WorkCounter::instructions_a_value:
    case WorkCounter::real_operations_a_value:
    case WorkCounter::stores_a_thread:
    case WorkCounter::block_y:
    case WorkCounter::span:
    case WorkCounter::shuffles_a_warp:
    case WorkCounter::library_share:
    case WorkCounter::launches:
    case WorkCounter::busy_launches:
      break;
  }
  return 0;
}

build::SourcePlace costliest_line(const Counted& counted, WorkCounter counter) {
  build::SourcePlace place;
  double most = 0;
  for (const CountedLine& line : counted.lines) {
    if (const double cost = cost_of(line, counter); cost > most) {
      most = cost;
      place = {line.file, line.line};
    }
  }
  return place;
}

// Returns the first line of a source file that contains `<<<` (a kernel launch) outside a comment.
build::SourcePlace place_of_launch(const SubmittedFile& file) {
  int number = 0;
  for (std::size_t at = 0; at < file.text.size(); ++number) {
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string_view line = std::string_view(file.text).substr(at, end - at);
    if (line.substr(0, line.find("//")).find("<<<") != std::string_view::npos) return {file.name, number + 1};
    at = end + 1;
  }
  return {file.name, 0};
}

std::string number(double value) {
  return fmt::format("{:.4g}", value);
}

std::string asked(const WorkLimit& limit) {
  return fmt::format("{} {}", limit.at_least ? "at least" : "at most", number(limit.limit));
}

Cause no_kernel(const SubmittedFile& file) {
  return make_cause(
      CauseKind::no_kernel,
      "no kernel ran in the call whose work is counted: launch a kernel that computes the answer", file.name);
}

// Adds to a failure reason what was counted, what is required, and the line that launches a kernel.
Cause of_all_versions(Cause cause, const GradingContext& bench, const Case& which,
                      const SubmittedFile& file) {
  name_input(cause, which);
  cause.line = place_of_launch(file).line;
  if (const auto text = submitted_text(bench.submission, file.name); text && cause.line > 0)
    cause.excerpt = build::excerpt_of(*text, cause.line);
  return cause;
}

// Returns a failure reason if a call's kernels read less than any version that computes the answer.
std::optional<Cause> reads_too_little(const GradingContext& bench, const CountedCall& counted,
                                      const SubmittedFile& file) {
  const double least = bench.course.rubric.work.reads_at_least;
  const double read = value_of(WorkCounter::bytes_read_a_value, counted.work, counted.which.n);
  if (read >= least) return std::nullopt;
  Cause cause = make_cause(
      CauseKind::no_kernel,
      fmt::format("the kernels of the call read {} bytes per value of the input, and a version that computes "
                  "the answer reads at least {}: the answer did not come from what they read. Let kernels "
                  "read every value from the pointers that the function is given",
                  number(read), number(least)),
      file.name);
  cause.expected = fmt::format("at least {} bytes per value", number(least));
  cause.actual = fmt::format("{} bytes per value", number(read));
  return of_all_versions(std::move(cause), bench, counted.which, file);
}

// True if two calls do the same work, whichever warps do it: a kernel can tell how its blocks take turns.
bool do_the_same(const DeviceWork& one, const DeviceWork& other) {
  constexpr double kTimes = 2;
  constexpr double kFew = 100;
  const auto sums = [](const DeviceWork& work) {
    std::array<double, 3> result{};
    for (const wire::Launch& launch : work.launches) {
      if (!launch.work) continue;
      result[0] += launch.work->counters.at(counter::kBarriers);
      result[1] += launch.work->counters.at(counter::kShuffles);
      result[2] += static_cast<double>(launch.work->stored_values);
    }
    return result;
  };
  const auto first = sums(one);
  const auto second = sums(other);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (std::max(first[i], second[i]) > kTimes * std::min(first[i], second[i]) + kFew) return false;
  }
  return one.launches.size() == other.launches.size();
}

// Returns a failure reason if one warp executes far more instructions than its share.
std::optional<Cause> shares_too_little(const GradingContext& bench, const CountedCall& counted,
                                       const SubmittedFile& file) {
  const double most = bench.course.rubric.work.span_at_most;
  const double span = value_of(WorkCounter::span, counted.work, counted.which.n);
  if (most == 0 || span <= most) return std::nullopt;
  Cause cause = make_cause(
      CauseKind::too_much_work,
      fmt::format("{} instructions follow one another in the longest warps of the call's launches; required: "
                  "at most {}: few threads do the work of all. Share it out among more threads",
                  number(span), number(most)),
      file.name);
  cause.expected = fmt::format("at most {}", number(most));
  cause.actual = number(span);
  return of_all_versions(std::move(cause), bench, counted.which, file);
}

// Returns the failure reason of a version that keeps a minimum by work without use.
Cause adds_nothing(const WorkLimit& limit, double value, const SubmittedFile& file,
                   const GradingContext& bench, const Case& which) {
  Cause cause = make_cause(
      CauseKind::too_much_work,
      fmt::format(
          "{}: {} in the call, but the answer does not depend on them: it stays right when results of "
          "such instructions are changed while the call runs; {}",
          rule_of(limit.counter).title, number(value), limit.lesson),
      file.name);
  cause.expected = fmt::format("{} that the answer depends on", asked(limit));
  cause.actual = "none";
  return of_all_versions(std::move(cause), bench, which, file);
}

tl::expected<CountedCall, std::vector<Cause>> counted_call(const GradingContext& bench,
                                                           const std::string& version,
                                                           const BuiltTypes& built) {
  VersionWorker worker(bench, version, built);
  const Case which = work_case(bench.course.rubric, bench.assignment, *bench.course.rubric.find(version),
                               bench.course.focus, bench.seed);
  auto result = worker.run(which, {.count_work = true});
  if (!result.causes.empty()) return tl::unexpected(std::move(result.causes));
  CountedCall counted{which, std::move(result.work), worker.multiprocessors()};
  auto looked = find_unused_work(worker, bench, version, counted);
  if (!looked.wrong.empty()) return tl::unexpected(std::move(looked.wrong));
  counted.unused = std::move(looked.unused);
  return counted;
}

bool keeps_limits(const GradingContext& bench, const std::string& version, const CountedCall& counted) {
  const SubmittedFile& file = bench.submission.files.at(version);
  return !reads_too_little(bench, counted, file) && !shares_too_little(bench, counted, file) &&
         std::ranges::all_of(bench.course.rubric.find(version)->work, [&](const WorkLimit& limit) {
           return limit.holds(value_of(limit.counter, counted.work, counted.which.n));
         });
}

// Makes the counted call once more, with blocks that take turns from the start, as on a GPU: in the counted
// call each runs as long as it can, so that one block does most of what blocks take from a queue, and warps
// count what they do while they wait. Returns nullopt if that call does not keep all limits, either.
std::optional<CountedCall> kept_in_turns(const GradingContext& bench, const std::string& version,
                                         const BuiltTypes& built, const CountedCall& counted) {
  if (bench.only_first_failure) return std::nullopt;
  VersionWorker worker(bench, version, built);
  // Any order of blocks but the first one makes them take turns in a counted call.
  auto again = worker.run(counted.which, {.schedule = mix(bench.seed) | 1, .count_work = true});
  if (!again.causes.empty() || !worker.has_counted() || !do_the_same(counted.work, again.work))
    return std::nullopt;
  CountedCall in_turns = counted;
  in_turns.work = std::move(again.work);
  return keeps_limits(bench, version, in_turns) ? std::optional(std::move(in_turns)) : std::nullopt;
}

// Makes the counted call once more and returns what a warp of the first block accesses at the line that a
// limit on sectors or bank conflicts blames, if that costs more than it need.
std::optional<WarpAccess> costly_access(const GradingContext& bench, const std::string& version,
                                        const BuiltTypes& built, const Case& which, const Cause& cause,
                                        WorkCounter counter) {
  using enum WorkCounter;
  constexpr std::array kSeen{sectors_a_request, bytes_read_a_value, conflicts_a_request};
  if (bench.only_first_failure || std::ranges::find(kSeen, counter) == kSeen.end()) return std::nullopt;
  const bool shared = counter == conflicts_a_request;
  const auto again =
      VersionWorker(bench, version, built).run(which, {.count_work = true, .keep_costly = true});
  for (const wire::Launch& launch : again.work.launches) {
    if (!launch.work) continue;
    for (const wire::CountedLine& line : launch.work->lines) {
      const bool here = line.file == cause.file && line.line == cause.line;
      if (here && line.costly && line.costly->shared == shared) return line.costly;
    }
  }
  return std::nullopt;
}

// Looks for a small change of the source with which the limit is kept.
std::optional<Cause> explained(const GradingContext& bench, const std::string& version,
                               const BuiltTypes& built, const Case& which, const Cause& cause,
                               const std::function<bool(const DeviceWork&)>& holds) {
  if (bench.only_first_failure) return std::nullopt;
  return VersionWorker(bench, version, built).explain(which, cause, {.holds = holds});
}

}  // namespace

std::optional<Cause> judge_limit(const WorkLimit& limit, double value, const SubmittedFile& file,
                                 const Submission& submission, const Case& which, Counted& counted) {
  const WorkCounterRule& rule = rule_of(limit.counter);
  const bool holds = limit.holds(value);
  counted.limits.push_back({std::string(rule.name), std::string(rule.title), value, limit.limit,
                            limit.at_least, holds, limit.lesson});
  if (holds) return std::nullopt;
  Cause cause = make_cause(CauseKind::too_much_work, "");
  name_input(cause, which);
  const std::string size = cause.sizes.size() > 1 ? size_text(cause) : fmt::format("{} values", counted.n);
  cause.message = fmt::format("{}: {} in a call with {}; required: {}; {}", rule.title, number(value), size,
                              asked(limit), limit.lesson);
  cause.expected = asked(limit);
  cause.actual = number(value);
  build::SourcePlace place = costliest_line(counted, limit.counter);
  if (place.line == 0) place = place_of_launch(file);
  cause.file = place.file;
  cause.line = place.line;
  if (const auto text = submitted_text(submission, place.file); text && place.line > 0) {
    cause.excerpt = build::excerpt_of(*text, place.line);
  }
  return cause;
}

CheckOutcome check_work(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                        const CountedCall* counted) {
  const auto start = std::chrono::steady_clock::now();
  const SubmittedFile& file = bench.submission.files.at(version);
  CheckOutcome outcome;
  const auto finish = [&](std::vector<Cause> causes) {
    outcome.causes = std::move(causes);
    outcome.seconds = seconds_since(start);
    return std::move(outcome);
  };
  CountedCall made;
  if (counted == nullptr) {
    auto call = counted_call(bench, version, built);
    if (!call) return finish(std::move(call.error()));
    made = std::move(*call);
    counted = &made;
  }
  if (!keeps_limits(bench, version, *counted)) {
    if (auto in_turns = kept_in_turns(bench, version, built, *counted)) {
      made = std::move(*in_turns);
      counted = &made;
    }
  }
  const Case& which = counted->which;
  const DeviceWork& work = counted->work;
  const std::vector<WorkCounter>& unused = counted->unused;
  outcome.counted = counted_by(work.launches, bench.submission, version, which);
  if (!outcome.counted) return finish({no_kernel(file)});
  outcome.counted->multiprocessors = counted->multiprocessors;
  std::vector<Cause> causes;
  for (const auto& rule : {reads_too_little, shares_too_little})
    if (auto cause = rule(bench, *counted, file)) causes.push_back(std::move(*cause));
  for (const WorkLimit& each : bench.course.rubric.find(version)->work) {
    const double value = value_of(each.counter, work, which.n);
    auto cause = judge_limit(each, value, file, bench.submission, which, *outcome.counted);
    if (!cause && std::ranges::find(unused, each.counter) != unused.end()) {
      outcome.counted->limits.back().holds = false;
      causes.push_back(adds_nothing(each, value, file, bench, which));
    }
    if (!cause) continue;
    auto costly = costly_access(bench, version, built, which, *cause, each.counter);
    const auto holds = [&](const DeviceWork& changed) {
      return each.holds(value_of(each.counter, changed, which.n));
    };
    if (auto better = causes.empty() ? explained(bench, version, built, which, *cause, holds) : std::nullopt)
      cause = std::move(better);
    cause->warp_access = std::move(costly);
    causes.push_back(std::move(*cause));
  }
  return finish(std::move(causes));
}

}  // namespace warpmark::judge
