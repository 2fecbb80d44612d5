// The checks of one version: each starts its own worker, so that one that dies costs only itself.
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

// Milliseconds of the steady clock since some moment.
double monotonic_ms();

// A call of which the work was counted.
struct CountedCall {
  Case which;
  std::vector<wire::Launch> launches;
  std::uint64_t multiprocessors = 0;  // of the device
};

// What a check found; no cause is `passed`.
struct CheckOutcome {
  std::vector<Cause> causes;
  double seconds = 0;
  std::optional<Counted> counted{};  // by `clean` and `work`
  std::vector<Cause> notes = {};
  std::optional<CountedCall> counted_call{};  // by `correct`, of the case that `work` asks about
  // What a call sent to the device beyond what an upload leaves it: for `upload_once`.
  std::optional<Cause> sent{};
};

// All that a check needs to know, for the time of one grading.
struct GradingContext {
  const Installation& installation;
  const Course& course;
  const Assignment& assignment;
  const Submission& submission;
  std::uint64_t seed = 0;                           // of this grading, from the system
  std::function<double()> clock_ms = monotonic_ms;  // the judge's own
  std::function<double()> seconds_of_others = seconds_taken_by_others;
  std::function<double(unsigned)> cores_at_once = warpmark::cores_at_once;
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>();
  WorkerShape shape = {};                 // of workers that load the version
  std::shared_ptr<TimeBudget> time = {};  // none: every call has the rubric's limit
};

// Both go on after a failure, in a fresh worker where that spoiled the old one, and report each distinct
// defect once, the worst first.

// The answer at every size, and at small ones that of a second call on the same pointers with other values in
// them. simulated: the version on the simulator, to explain there what fails on a GPU; may be null.
CheckOutcome check_correct(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                           const BuiltTypes* simulated = nullptr);
// The -O0 code in several schedules, and the -O2 code, with a look at every access.
CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built);

// upload_once, over the upload function, every version that is correct, and the others as far as they run.
struct UploadOutcome {
  CheckOutcome outcome;
  std::vector<Transfer> transfers;
  std::vector<Launch> launches;
};
// sent: what plain calls were seen to send, by version: no call is another one because it is audited.
UploadOutcome check_upload(const GradingContext& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& correct,
                           const std::map<std::string, BuiltTypes>& others,
                           const std::map<std::string, Cause>& sent = {});

// The course's own libraries that a measurement needs: the naive kernel, and the one that empties L2.
struct CourseKernels {
  BuiltTypes naive;
  std::filesystem::path sweep;
};

// Seconds since a moment.
double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace warpmark::judge
