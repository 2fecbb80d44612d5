#include "harness/judge/checks/unused_work.h"

#include <array>
#include <cstdint>
#include <utility>

#include "harness/assignments/random.h"
#include "harness/base/trace.h"
#include "harness/judge/cases/counted.h"
#include "harness/wire/codec.h"

namespace warpmark::judge {
namespace {

// Numbers of faults of the trials, one after another. Where each second instruction matters, two trials with
// one fault show it; where each tenth does, later ones do. All are made before a version is accused, however
// long they take: of fewer, a right version on a slow machine may show too little, and a bound on their time
// would let a version that sleeps go. The time limit of a call bounds them.
constexpr std::array<std::uint64_t, 12> kFaults{1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 16, 16};
// Trials whose answer has to be wrong. One alone could have hit what the answer is written with.
constexpr int kEnough = 2;

// Trials with faults in the instructions of one group.
class Trials {
 public:
  Trials(VersionWorker& worker, const Case& which, InstructionGroup group, std::uint64_t seed)
      : worker_(worker), which_(which), group_(group), seed_(seed) {}

  // Returns true if faults show in the answer, or nothing can be found out.
  bool matters() {
    int shown = 0;
    for (const std::uint64_t faults : kFaults) {
      if (!is_right_without_faults(faults)) return true;
      const bool fails = !worker_.run_with_faults(which_, mode(faults, true)).causes.empty();
      // What a fault leaves in the version's own variables may spoil later calls.
      worker_.replace();
      if (fails && ++shown == kEnough) return true;
    }
    return false;
  }
  [[nodiscard]] std::vector<Cause> wrong() && { return std::move(wrong_); }

 private:
  // Makes a random number of calls without faults. Returns false if one fails.
  bool is_right_without_faults(std::uint64_t faults) {
    if (!worker_.has_counted()) wrong_ = worker_.run(which_, {.count_work = true}).causes;
    while (wrong_.empty() && worker_.has_counted() && random_below(seed_, drawn_++, 2) == 0)
      wrong_ = worker_.run_with_faults(which_, mode(faults, false)).causes;
    for (Cause& cause : wrong_)
      cause.message += " (in a further call with the same values; it was right before)";
    return wrong_.empty() && worker_.has_counted();
  }

  [[nodiscard]] wire::RunMode mode(std::uint64_t faults, bool inject) {
    return {.faults = faults,
            .fault_group = group_,
            .fault_seed = random_below(seed_, drawn_++, wire::kMostCount),
            .without_faults = !inject};
  }

  VersionWorker& worker_;
  const Case& which_;
  InstructionGroup group_;
  std::uint64_t seed_;
  std::uint64_t drawn_ = 0;
  std::vector<Cause> wrong_;
};

}  // namespace

UnusedWork find_unused_work(VersionWorker& worker, const GradingContext& bench, const std::string& version,
                            const CountedCall& call) {
  const TraceSpan span("unused work", version);
  UnusedWork result;
  for (const WorkLimit& limit : bench.course.rubric.find(version)->work) {
    const auto group = rule_of(limit.counter).group;
    if (!limit.used || !group || !limit.holds(value_of(limit.counter, call.work, call.which.n))) continue;
    Trials trials(worker, call.which, *group, mix(bench.seed ^ static_cast<std::uint64_t>(*group)));
    if (!trials.matters()) result.unused.push_back(limit.counter);
    result.wrong = std::move(trials).wrong();
    if (!result.wrong.empty()) break;
  }
  worker.replace();
  return result;
}

}  // namespace warpmark::judge
