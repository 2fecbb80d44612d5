#include "harness/simulator/device/launch/fault_plan.h"

#include <utility>

#include "harness/simulator/engine/machine/random.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {
namespace {

// Limit on the entries that are remembered of a call (64 MiB); faults hit launches within the limit only.
constexpr std::size_t kMostRemembered = std::size_t{1} << 22;

}  // namespace

void FaultPlan::call_begins(const WarpmarkSimulatorOptions& options) {
  next_ = 0;
  faults_.clear();
  injects_ = options.without_faults == 0;
  if (options.count_work != 0) {
    launches_.clear();
    remembered_ = 0;
  }
  if (options.faults != 0)
    choose(static_cast<InstructionGroup>(options.fault_group), options.faults, options.fault_seed);
}

void FaultPlan::counted(std::vector<Executions> executions) {
  remembered_ += executions.size();
  if (remembered_ <= kMostRemembered) launches_.push_back(std::move(executions));
}

void FaultPlan::choose(InstructionGroup group, std::uint64_t count, std::uint64_t seed) {
  std::uint64_t all = 0;
  for (const auto& launch : launches_) {
    for (const Executions& each : launch) all += each.group == group ? each.count : 0;
  }
  if (all == 0) return;
  Random random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t left = random.below(all);
    for (std::size_t launch = 0; launch < launches_.size() && left != UINT64_MAX; ++launch) {
      for (const Executions& each : launches_[launch]) {
        if (each.group != group) continue;
        if (left < each.count) {
          faults_[launch].push_back({group, each.pc, left});
          left = UINT64_MAX;
          break;
        }
        left -= each.count;
      }
    }
  }
  seed_ = random.next();
}

std::unique_ptr<InjectedFaults> FaultPlan::of_next_launch(const Kernel& kernel) {
  const auto found = faults_.find(next_++);
  if (found == faults_.end()) return nullptr;
  const Program& program = program_of(kernel);
  auto faults = std::make_unique<InjectedFaults>(program, seed_ + found->first);
  if (!injects_) return faults;
  for (const Fault& fault : found->second) {
    // A call whose launches differ from those that were counted runs other code.
    if (fault.pc >= program.code.size()) continue;
    faults->choose(fault.pc, fault.number, fault.group == InstructionGroup::shuffles);
  }
  return faults;
}

}  // namespace warpmark::simulator
