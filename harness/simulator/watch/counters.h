// Counts what a launch does: by instruction while it runs, by source line when it is done.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "harness/simulator/code/program.h"
#include "harness/simulator/watch/touch.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

// One host thread's counts. Everything is counted where it happens, at the place of its instruction in the
// code.
class LaunchCounters {
 public:
  explicit LaunchCounters(const Program& program)
      : program_(program), executed_(program.code.size()), by_pc_(program.code.size()) {}

  ExecutionCount* execution_counts() { return executed_.data(); }
  void touched(const Touch& touch);
  void diverged(const Instruction& instruction) { ++at(instruction).divergent_branches; }
  void completed_barrier(const Instruction& instruction) { ++at(instruction).barriers; }
  void shuffled(const Instruction& instruction) { ++at(instruction).shuffles; }

  void add(const LaunchCounters& other);
  [[nodiscard]] LaunchWork work() const;

 private:
  Work& at(const Instruction& instruction) {
    return by_pc_[static_cast<std::size_t>(&instruction - program_.code.data())];
  }

  const Program& program_;
  std::vector<ExecutionCount> executed_;
  std::vector<Work> by_pc_;  // all but what was executed
};

}  // namespace warpmark::simulator
