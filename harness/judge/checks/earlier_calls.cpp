#include "harness/judge/checks/earlier_calls.h"

#include <utility>

namespace warpmark::judge {
namespace {

constexpr int kTimesOnGpu = 3;

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

EarlierCalls::Look EarlierCalls::look_at_second(const Case& first) const {
  const Case second = VersionWorker(bench_, version_, built_).with_other_values(first);
  for (int i = 0; i < times_; ++i) {
    for (const Case& which : {second, first}) {
      if (auto causes = alone(which); !causes.empty()) return {Reason::the_call_itself, std::move(causes)};
    }
    if (!wrong_again(first)) return {Reason::chance, {}};
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

bool EarlierCalls::wrong_again(const Case& first) const {
  VersionWorker worker(bench_, version_, built_);
  return worker.run(first, mode_).causes.empty() &&
         !failures(worker.run_again(mode_), mode_, bench_.course).empty();
}

}  // namespace warpmark::judge
