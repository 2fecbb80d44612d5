#include "harness/judge/checks/host_clean_check.h"

#include <algorithm>
#include <utility>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/found_causes.h"
#include "harness/judge/checks/thread_failures.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {
namespace {

// Largest input, in elements, for which a CPU function under a sanitizer is called a second time on the same
// buffers.
constexpr std::uint64_t kMostHostAgain = 4099;

// Runs one sanitizer's build of a submitted file on all test inputs.
class WatchedVersion {
 public:
  WatchedVersion(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                 FoundCauses& found, std::vector<Cause>& notes)
      : bench_(bench), version_(version), worker_(bench, version, built), found_(found), notes_(notes) {}

  void run() {
    const auto cases = clean_cases(bench_.course.rubric, bench_.assignment, bench_.course.focus, bench_.seed);
    for (std::size_t i = 0; i < cases.size() && worker_.can_go_on() && !found_.full(); ++i) {
      if (is_over(bench_, version_)) {
        found_.add({out_of_time(bench_, version_, i, cases.size())});
        return;
      }
      const bool right = keep(worker_.run(cases[i]));
      if (right && cases[i].n <= kMostHostAgain) keep(worker_.run_again());
    }
  }

 private:
  // Records the defects found in a call. Returns false if there are any, so that a second call on the same
  // buffers makes no sense.
  bool keep(CallResult result) {
    const bool right = result.causes.empty();
    std::erase_if(result.causes, [&](const Cause& cause) { return is_left_to_others(cause, result); });
    for (Cause& remark : result.remarks) {
      add_once(bench_.course.rubric.clean.fails(remark.kind) ? result.causes : notes_, {std::move(remark)});
    }
    if (found_.add(std::move(result.causes))) worker_.was_of_use();
    return right;
  }

  // Returns true for wrong results, which the check `correct` reports, and for the worker process's death
  // after a reported sanitizer error, which is not a second defect.
  [[nodiscard]] bool is_left_to_others(const Cause& cause, const CallResult& result) const {
    if (is_wrong_answer(bench_, cause) || cause.kind == CauseKind::not_written) return true;
    const bool died =
        cause.kind == CauseKind::exited || (cause.kind == CauseKind::crashed && cause.line == 0);
    const auto is_report = [](const Cause& each) {
      return rule_of(each.kind).source == Source::engine && each.line > 0;
    };
    return died &&
           (std::ranges::any_of(result.causes, is_report) || std::ranges::any_of(result.remarks, is_report) ||
            std::ranges::any_of(found_.all(), is_report));
  }

  const GradingContext& bench_;
  const std::string& version_;
  VersionWorker worker_;
  FoundCauses& found_;
  std::vector<Cause>& notes_;
};

}  // namespace

CheckOutcome check_host_clean(const GradingContext& bench, const std::string& version,
                              const std::vector<BuiltTypes>& watched) {
  const auto start = std::chrono::steady_clock::now();
  FoundCauses found;
  CheckOutcome outcome;
  for (const BuiltTypes& built : watched) WatchedVersion(bench, version, built, found, outcome.notes).run();
  const Blame blame{&bench.submission.files.at(version), &bench.submission, {}, &bench.installation};
  outcome.causes = threads_first(std::move(found).worst_first(), {}, blame);
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace warpmark::judge
