// Performance counters of a kernel launch, kept per instruction and summed per source line when the launch
// ends.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "harness/simulator/engine/operations/touch.h"
#include "harness/simulator/ptx/program.h"
#include "harness/simulator/watch/work.h"

namespace warpmark::simulator {

// Performance counters of the thread blocks that one host thread simulates or, summed, of a whole launch.
// Vectors are indexed by the position of the instruction in the program's code.
class LaunchCounters {
 public:
  explicit LaunchCounters(const Program& program)
      : program_(program), executed_(program.code.size()), by_pc_(program.code.size()) {}

  ExecutionCount* execution_counts() { return executed_.data(); }
  void touched(std::size_t warp, const Touch& touch);
  void executed(std::size_t warp, std::uint64_t instructions, unsigned lanes) {
    Share& share = of_warp(warp);
    share.warp_instructions += instructions;
    share.instructions += instructions * lanes;
  }
  void block_ends();
  void diverged(const Instruction& instruction) { ++at(instruction).divergent_branches; }
  void completed_barrier(const Instruction& instruction) { ++at(instruction).barriers; }
  void shuffled(const Instruction& instruction) { ++at(instruction).shuffles; }

  void add(const LaunchCounters& other);
  [[nodiscard]] LaunchWork work() const;

 private:
  [[nodiscard]] std::vector<Executions> executions() const;
  Work& at(const Instruction& instruction) {
    return by_pc_[static_cast<std::size_t>(&instruction - program_.code.data())];
  }

  Share& of_warp(std::size_t warp) {
    if (current_.size() <= warp) current_.resize(warp + 1);
    return current_[warp];
  }

  const Program& program_;
  std::vector<ExecutionCount> executed_;
  // Performance counters per instruction, indexed by pc. Execution counts and active lanes are in executed_
  // instead.
  std::vector<Work> by_pc_;
  std::vector<Share> current_;  // work of the current block's warps
  Squares of_warps_;
  Squares of_blocks_;
  std::uint64_t longest_warp_ = 0;
};

}  // namespace warpmark::simulator
