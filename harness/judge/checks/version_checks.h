// The checks of one version. Each starts its own workers, so that a dead worker affects one check only.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/base/processor_time.h"
#include "harness/judge/cases/case_store.h"
#include "harness/judge/checks/time_budget.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/workers/libraries.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Milliseconds of the steady clock; only differences are meaningful.
double monotonic_ms();

// A call whose work was counted.
struct CountedCall {
  Case which;
  std::vector<wire::Launch> launches;
  std::uint64_t multiprocessors = 0;  // of the device
};

// Result of a check; a check without causes has passed.
struct CheckOutcome {
  std::vector<Cause> causes;
  double seconds = 0;
  std::optional<Counted> counted{};  // set by `clean` and `work`
  std::vector<Cause> notes = {};
  std::optional<CountedCall> counted_call{};  // set by `correct`, for the case that `work` counts
  // Bytes that a call sent to the device although the data had been uploaded: evidence for `upload_once`.
  std::optional<Cause> sent{};
};

// Everything that the checks of one grading share.
struct GradingContext {
  const Installation& installation;
  const Course& course;
  const Assignment& assignment;
  const Submission& submission;
  std::uint64_t seed = 0;                           // of this grading, from getrandom()
  std::function<double()> clock_ms = monotonic_ms;  // the judge's clock
  std::function<double()> seconds_of_others = seconds_taken_by_others;
  std::function<double(unsigned)> cores_at_once = warpmark::cores_at_once;
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>();
  WorkerShape shape = {};                 // of workers that load the version
  std::shared_ptr<TimeBudget> time = {};  // null: every call has the rubric's limit
};

// Both checks continue after a failure, in a fresh worker if the old one is spoiled, and report each distinct
// defect once, worst first.

// Checks the answer at every size and, at small sizes, that of a second call on the same pointers with other
// values. simulated: the version built for the simulator, to explain failures on a GPU; may be null.
CheckOutcome check_correct(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                           const BuiltTypes* simulated = nullptr);
// Runs the -O0 code under several schedules, and the -O2 code, with every access checked.
CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built);

// Result of `upload_once`: audits the upload function, all correct versions, and other versions that run.
struct UploadOutcome {
  CheckOutcome outcome;
  std::vector<AuditedTransfer> transfers;
  std::vector<AuditedLaunch> launches;
};
// sent: per version, what calls outside the audit sent, so that a version cannot behave differently in an
// audit.
UploadOutcome check_upload(const GradingContext& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& correct,
                           const std::map<std::string, BuiltTypes>& others,
                           const std::map<std::string, Cause>& sent = {});

// The course's own libraries for measurements: the naive kernel, and the sweep that evicts L2.
struct CourseKernels {
  BuiltTypes naive;
  std::filesystem::path sweep;
};

// Returns the seconds elapsed since `start`.
double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace warpmark::judge
