#include "harness/assignment_check/mutant_trial.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/work_check.h"
#include "harness/judge/rules/plan.h"

namespace warpmark::assignment_check {
namespace {

using judge::Check;
using judge::VersionRule;

constexpr std::uint64_t kQuickValues = 5000;  // largest input, in values, of the quick checks of a mutant
constexpr std::size_t kQuickCases = 8;
constexpr std::size_t kQuickCleanCases = 3;

// Returns at most `count` of the small test cases, evenly spread from the first to the last.
std::vector<Case> spread(std::vector<Case> cases, std::size_t count) {
  std::erase_if(cases, [](const Case& which) { return which.n > kQuickValues; });
  if (cases.size() <= count) return cases;
  std::vector<Case> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(cases[i * (cases.size() - 1) / (count - 1)]);
  return chosen;
}

std::optional<Failure> failure_of(std::string_view check, const std::vector<Cause>& causes) {
  if (causes.empty()) return std::nullopt;
  const auto failed = std::ranges::find_if(
      causes, [](const Cause& cause) { return rule_of(cause.kind).verdict == Verdict::failed; });
  return Failure{std::string(check), failed == causes.end() ? causes.front() : *failed};
}

}  // namespace

std::optional<Failure> Trial::quick() {
  const VersionRule& rule = *bench_.course.rubric.find(version_);
  judge::VersionWorker worker(bench_, version_, built_);
  if (rule.has(Check::correct)) {
    const auto cases = judge::correct_cases(bench_.course.rubric, bench_.assignment, Engine::simulator,
                                            bench_.course.focus, bench_.seed);
    for (const Case& which : spread(cases, kQuickCases)) {
      if (auto failed = failure_of("correct", timed(worker, which, {}).causes)) return failed;
    }
  }
  return rule.has(Check::clean) ? quick_clean(worker) : std::nullopt;
}

std::optional<Failure> Trial::quick_clean() {
  judge::VersionWorker worker(bench_, version_, built_);
  return quick_clean(worker);
}

std::optional<Failure> Trial::quick_clean(judge::VersionWorker& worker) {
  const auto cases =
      judge::clean_cases(bench_.course.rubric, bench_.assignment, bench_.course.focus, bench_.seed);
  for (const Case& which : spread(cases, kQuickCleanCases)) {
    auto result = timed(worker, which, {.checking = true, .check_accesses = true});
    for (Cause& remark : result.remarks) {
      if (bench_.course.rubric.clean.fails(remark.kind)) result.causes.push_back(std::move(remark));
    }
    std::erase_if(result.causes, [&](const Cause& cause) { return judge::is_wrong_answer(bench_, cause); });
    if (auto failed = failure_of("clean", result.causes)) return failed;
  }
  return std::nullopt;
}

// `work` goes first: it is one call, and what passes the quick checks most often only does too much.
std::optional<Failure> Trial::complete() {
  const VersionRule& rule = *bench_.course.rubric.find(version_);
  std::optional<Failure> failed;
  if (rule.has(Check::work)) failed = work();
  if (failed || !rule.has(Check::correct)) return failed;
  const auto correct = judge::check_correct(bench_, version_, built_, &built_);
  failed = failure_of("correct", correct.causes);
  if (!failed && rule.has(Check::clean)) failed = clean(correct);
  return failed;
}

std::optional<Failure> Trial::clean() {
  return clean(judge::check_correct(bench_, version_, built_));
}

std::optional<Failure> Trial::clean(const judge::CheckOutcome& correct) {
  const auto remarks = correct.remarks.value_or(std::vector<Cause>());
  return failure_of("clean", judge::check_clean(bench_, version_, built_, remarks).causes);
}

std::optional<Failure> Trial::work() {
  auto failed = failure_of("work", judge::check_work(bench_, version_, built_, nullptr).causes);
  const bool of_limits = failed && (failed->cause.kind == CauseKind::too_much_work ||
                                    failed->cause.kind == CauseKind::no_kernel);
  if (failed && !of_limits) failed->check = "correct";  // the counted call itself was wrong
  return failed;
}

judge::CallResult Trial::timed(judge::VersionWorker& worker, const Case& which, const wire::RunMode& mode) {
  const auto start = std::chrono::steady_clock::now();
  auto result = worker.run(which, mode);
  slowest_ = std::max(slowest_, judge::seconds_since(start));
  return result;
}

}  // namespace warpmark::assignment_check
