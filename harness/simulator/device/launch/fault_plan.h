// Plans fault injection: remembers what the launches of a counted call executed, and chooses executions among
// them for a later call with the same input.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "harness/simulator/both/control.h"
#include "harness/simulator/device/launch/launch.h"
#include "harness/simulator/engine/machine/injected_faults.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

class FaultPlan {
 public:
  // Must be called before a graded function is called. Forgets earlier launches if the call is counted, and
  // chooses the executions to change if `options` asks for faults.
  void call_begins(const WarpmarkSimulatorOptions& options);
  // Adds what a launch of a counted call executed.
  void counted(std::vector<Executions> executions);
  // Returns the faults of the call's next launch; null: none.
  std::unique_ptr<InjectedFaults> of_next_launch(const Kernel& kernel);

 private:
  struct Fault {
    InstructionGroup group = InstructionGroup::real_arithmetic;
    std::uint32_t pc = 0;
    std::uint64_t number = 0;  // of the execution, in the launch
  };
  void choose(InstructionGroup group, std::uint64_t count, std::uint64_t seed);

  std::vector<std::vector<Executions>> launches_;  // of the last counted call
  std::size_t remembered_ = 0;
  std::map<std::size_t, std::vector<Fault>> faults_;  // of the current call, by launch
  bool injects_ = true;
  std::uint64_t seed_ = 0;
  std::size_t next_ = 0;
};

}  // namespace warpmark::simulator
