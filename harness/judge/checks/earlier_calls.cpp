#include "harness/judge/checks/earlier_calls.h"

#include <utility>

#include <fmt/format.h>

#include "harness/judge/checks/call_causes.h"
#include "harness/judge/checks/explain_wrong_answer.h"

namespace warpmark::judge {
namespace {

constexpr int kTimesOnGpu = 3;

// Cause::mistake of state that survives a call.
constexpr const char* kStale = "stale";

using Asked = VersionWorker::Asked;

// Returns the failure reasons of a student's call: its defects and, if the simulator checked accesses, the
// findings that the rubric counts as errors.
std::vector<Cause> failures(CallResult result, const wire::RunMode& mode, const Course& course) {
  for (Cause& remark : result.remarks) {
    if (mode.check_accesses && course.rubric.clean.fails(remark.kind))
      result.causes.push_back(std::move(remark));
  }
  return std::move(result.causes);
}

}  // namespace

EarlierCalls::EarlierCalls(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                           wire::RunMode mode)
    : bench_(bench),
      version_(version),
      built_(built),
      mode_(mode),
      times_(built.engine == Engine::gpu ? kTimesOnGpu : 1) {
  mode_.one_at_a_time = true;
}

EarlierCalls::Look EarlierCalls::look(const std::vector<Asked>& before, const Case& which) const {
  for (int i = 0; i < times_; ++i) {
    if (auto causes = alone(which); !causes.empty()) return {Reason::the_call_itself, std::move(causes)};
    if (!wrong_after(before, which)) return {Reason::chance, {}};
  }
  return {Reason::earlier_calls, {}};
}

EarlierCalls::Look EarlierCalls::look_at_second(const Case& first, const wire::RunMode& second) const {
  const Case other = VersionWorker(bench_, version_, built_).with_other_values(first);
  for (int i = 0; i < times_; ++i) {
    for (const Case& which : {other, first}) {
      if (auto causes = alone(which); !causes.empty()) return {Reason::the_call_itself, std::move(causes)};
    }
    if (wrong_again(first, mode_)) continue;
    const bool in_order = second.schedule == 0 || !wrong_again(first, second);
    return {in_order ? Reason::chance : Reason::the_order, {}};
  }
  return {Reason::earlier_calls, {}};
}

std::vector<Cause> EarlierCalls::alone(const Case& which) const {
  return failures(VersionWorker(bench_, version_, built_).run(which, mode_), mode_, bench_.course);
}

bool EarlierCalls::wrong_after(const std::vector<Asked>& before, const Case& which) const {
  VersionWorker worker(bench_, version_, built_);
  for (const auto& [earlier, again] : before) {
    const auto result = worker.run(earlier, mode_);
    if (again && result.causes.empty()) static_cast<void>(worker.run_again(mode_));
  }
  return !failures(worker.run(which, mode_), mode_, bench_.course).empty();
}

bool EarlierCalls::wrong_again(const Case& first, const wire::RunMode& second) const {
  VersionWorker worker(bench_, version_, built_);
  return worker.run(first, mode_).causes.empty() &&
         !failures(worker.run_again(second), second, bench_.course).empty();
}

Cause left_by_earlier_calls(Cause wrong, const Blame& blame) {
  wrong.message = fmt::format(
      "the answer is right in a first call, but wrong after calls with other sizes or values ({}): state "
      "survives between calls. Look for a static or global variable, a __device__ counter or ticket that "
      "is not reset, an answer or a grid size that is kept from the first call",
      wrong.message);
  wrong.kind = CauseKind::wrong_when_called_again;
  wrong.mistake = kStale;
  // The loads and stores of a right first call are right: the line is that of what is kept.
  wrong.line = wrong.other_line = 0;
  wrong.excerpt.clear();
  name_kept_variable(wrong, blame);
  return wrong;
}

Cause left_by_first_call(const GradingContext& bench, Cause failure, bool same_answer, const Blame& blame) {
  const bool wrong = is_wrong_answer(bench, failure);
  failure.kind = CauseKind::wrong_when_called_again;
  failure.mistake = kStale;
  failure.message = "the second call on the same pointers, with other values in them, ";
  if (!wrong) {
    failure.message += "wrote nothing: ";
  } else {
    failure.message += same_answer ? "gave the first call's answer: " : "gave a wrong answer: ";
  }
  failure.message += wrong && !same_answer
                         ? "state survives between calls. Set the sum to zero, and reset a counter or ticket "
                           "in __device__ or static memory, in each call; keep nothing in static variables"
                         : "an answer is kept by pointer or size, a static flag lets the work be done once, "
                           "or a counter or ticket is not reset. Compute the answer in each call, and reset "
                           "what is counted";
  name_kept_variable(failure, blame);
  return failure;
}

}  // namespace warpmark::judge
