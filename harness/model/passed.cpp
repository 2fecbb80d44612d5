#include "harness/model/passed.h"

#include <algorithm>
#include <string_view>

#include "harness/base/counters.h"

namespace warpmark {
namespace {

double value_in(const CountedKernel& kernel, std::string_view name) {
  const auto found = std::ranges::find(kernel.counters, name, [](const auto& each) { return each.first; });
  return found == kernel.counters.end() ? 0 : found->second;
}

}  // namespace

WorkFigures figures_of(const Counted& counted) {
  using namespace counter;
  WorkFigures all;
  for (const CountedKernel& kernel : counted.kernels) {
    const auto value = [&](std::string_view name) { return value_in(kernel, name); };
    all.launches += static_cast<double>(kernel.launches);
    all.instructions += value(kInstructions);
    all.requests += value(kLoadRequests) + value(kStoreRequests);
    all.sectors += value(kLoadSectors) + value(kStoreSectors);
    all.shared_requests += value(kSharedLoads) + value(kSharedStores);
    all.bank_conflicts += value(kLoadConflicts) + value(kStoreConflicts);
    all.barriers += value(kBarriers);
    all.global_atomics += value(kGlobalAtomics);
    all.shared_atomics += value(kSharedAtomics);
  }
  all.active_lanes = counted.active_lanes;
  return all;
}

bool has_passed(const Grade& grade, const std::string& version) {
  bool is_correct = false;
  for (const CheckResult& check : grade.checks) {
    if (check.version != version) continue;
    if (check.verdict == Verdict::failed || check.verdict == Verdict::broken) return false;
    is_correct = is_correct || (check.check == "correct" && check.verdict == Verdict::passed);
  }
  return is_correct;
}

void add_last_grade(Grade& grade, const Grade& last) {
  if (last.assignment != grade.assignment || last.submission_name != grade.submission_name ||
      last.submission_hash == grade.submission_hash)
    return;
  for (PassedVersion& version : grade.passed) {
    const auto counted = std::ranges::find(grade.counters, version.version, &Counted::version);
    const auto before = std::ranges::find(last.counters, version.version, &Counted::version);
    if (!version.work || counted == grade.counters.end() || before == last.counters.end() ||
        before->type != counted->type)
      continue;
    version.last = WorkOfLastGrade{last.graded_at, before->n, figures_of(*before)};
  }
}

}  // namespace warpmark
