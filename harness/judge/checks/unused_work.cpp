#include "harness/judge/checks/unused_work.h"

#include <array>
#include <cstdint>

#include "harness/assignments/random.h"
#include "harness/base/trace.h"
#include "harness/judge/cases/counted.h"
#include "harness/wire/codec.h"

namespace warpmark::judge {
namespace {

// Numbers of faults of the trials, one after another. Where each second instruction matters, two trials with
// one fault show it; where each tenth does, later ones do.
constexpr std::array<std::uint64_t, 16> kFaults{1, 1, 1, 1, 4, 4, 4, 4, 16, 16, 16, 16, 16, 16, 16, 16};
// Trials whose answer has to be wrong. One alone could have hit what the answer is written with.
constexpr int kEnough = 2;

// Returns true if faults in the group's instructions show in the answer.
bool matters(VersionWorker& worker, const Case& which, InstructionGroup group, std::uint64_t seed) {
  int shown = 0;
  for (std::size_t trial = 0; trial < kFaults.size() && worker.can_go_on(); ++trial) {
    const std::uint64_t drawn = random_below(seed, trial, wire::kMostCount);
    if (worker.shows_faults(which, group, kFaults[trial], drawn) && ++shown == kEnough) return true;
  }
  // Without a worker process nothing was found out.
  return !worker.can_go_on();
}

}  // namespace

std::vector<WorkCounter> find_unused_work(VersionWorker& worker, const GradingContext& bench,
                                          const std::string& version, const CountedCall& call) {
  const TraceSpan span("unused work", version);
  std::vector<WorkCounter> unused;
  for (const WorkLimit& limit : bench.course.rubric.find(version)->work) {
    const auto group = rule_of(limit.counter).group;
    if (!limit.at_least || !group || !limit.holds(value_of(limit.counter, call.work, call.which.n))) continue;
    if (!matters(worker, call.which, *group, mix(bench.seed ^ static_cast<std::uint64_t>(*group))))
      unused.push_back(limit.counter);
  }
  return unused;
}

}  // namespace warpmark::judge
