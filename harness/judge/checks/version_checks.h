// The checks of one submitted kernel file. Each check starts its own worker processes, so that a crash
// affects one check only.
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
#include "harness/judge/rules/work_limit.h"
#include "harness/judge/workers/libraries.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns milliseconds of the steady clock; only differences are meaningful.
double monotonic_ms();

// A successful call whose memory requests, atomics, bank conflicts etc. the simulator counted.
struct CountedCall {
  Case which;
  DeviceWork work;
  std::uint64_t multiprocessors = 0;  // number of SMs of the device that ran the call
  // Counters that reach the minimum of a limit by work that adds nothing to the answer.
  std::vector<WorkCounter> unused = {};
};

// Result of a check. `causes` are the reasons for a failed or undecided check; if empty, the check passed.
struct CheckOutcome {
  std::vector<Cause> causes;
  double seconds = 0;
  std::optional<Counted> counted{};  // a call's performance counters; set by the checks `clean` and `work`
  std::vector<Cause> notes = {};
  // Call whose counters the check `work` can use; set by `correct` and `clean` if they made the required one.
  std::optional<CountedCall> counted_call{};
  // Distinct remarks (such as races) of all calls of `correct`; the simulator watches each of them.
  std::optional<std::vector<Cause>> remarks{};
  // Set if a call copied more to the device than allowed, although its input had been uploaded before the
  // call: evidence for `upload_once`.
  std::optional<Cause> sent{};
  // Parts of the check's points, of which some may be reached although the check failed; may be empty.
  std::vector<PointPart> parts = {};
};

// State shared by all checks of one grading.
struct GradingContext {
  const Installation& installation;
  const Course& course;
  const Assignment& assignment;
  const Submission& submission;
  std::uint64_t seed = 0;                           // random seed of one grading, drawn by getrandom()
  std::function<double()> clock_ms = monotonic_ms;  // judge process's clock, which student code cannot change
  std::function<double()> seconds_of_others = seconds_taken_by_others;
  std::function<double(unsigned)> cores_at_once = warpmark::cores_at_once;
  std::shared_ptr<CaseStore> cases = std::make_shared<CaseStore>();
  WorkerShape shape = {};  // MPI ranks and simulated devices of the worker processes that run student code
  // Limits on the time of calls; null: every call has the rubric's time limit.
  std::shared_ptr<TimeBudget> time = {};
  // Returns what sanitizers find in the version, in host code, that is checked: asked after a failure. Empty:
  // not known.
  std::function<const std::vector<Cause>&()> of_sanitizers = {};
  // Builds variants of a version to explain a wrong result; null: none are tried.
  const Libraries* libraries = nullptr;
  // True: check_correct() and check_clean() stop at the first failure and do not look for its reason. For
  // callers that only ask whether a version passes.
  bool only_first_failure = false;
  // For check_correct() on a GPU: returns true if the simulator found why the version fails, so that no
  // reason for these failures is looked for here. May block until the simulator has made its calls. Empty: it
  // does not run.
  std::function<bool(const std::vector<Cause>& failures)> is_explained = {};
};

// check_correct() and check_clean() continue after a failure, in a fresh worker process if the old one is
// unusable, and report each distinct defect once, worst first; see GradingContext::only_first_failure.

// Compares the results at every input size and, for small sizes, those of a second call on the same pointers
// with other input data. `simulated` is the code built for the simulator, used to explain failures on a real
// GPU; may be null.
CheckOutcome check_correct(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                           const BuiltTypes* simulated = nullptr);
// Runs the code on the simulator with every access checked: the -O0 build under several thread schedules, and
// the -O2 build. `of_correct`: the remarks of all calls of check_correct() on the simulator. `is_correct`:
// these calls were right, so that they do not explain what is found.
CheckOutcome check_clean(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                         const std::vector<Cause>& of_correct = {}, bool is_correct = false);

// The course's own libraries for time measurements: the naive kernel, and the kernel that evicts the L2
// cache.
struct CourseKernels {
  BuiltTypes naive;  // libraries of the baseline with which students' kernels are compared in speed
  std::filesystem::path sweep;
  // Name of the baseline's function if it is the course's solution of a version: never loaded into a process
  // with student code. Empty: the baseline is the rubric's naive kernel.
  std::string function = {};
  [[nodiscard]] bool is_solution() const { return !function.empty(); }
};

// Returns the seconds elapsed since `start`.
double seconds_since(std::chrono::steady_clock::time_point start);

}  // namespace warpmark::judge
