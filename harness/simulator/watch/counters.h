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
  // waiting_apart: what a warp does counts when executed() is called for it, so that the call can say that
  // the warp was waiting.
  explicit LaunchCounters(const Program& program, bool waiting_apart = false)
      : program_(program),
        waiting_apart_(waiting_apart),
        executed_(program.code.size()),
        by_pc_(program.code.size()) {}

  ExecutionCount* execution_counts() { return executed_.data(); }
  void touched(std::size_t warp, const Touch& touch);
  // 0 instructions: the warp has been waiting since the last call.
  void executed(std::size_t warp, std::uint64_t instructions, unsigned lanes) {
    if (waiting_apart_) settle(warp, instructions != 0);
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
  [[nodiscard]] std::size_t pc_of(const Instruction& instruction) const {
    return static_cast<std::size_t>(&instruction - program_.code.data());
  }
  Work& at(const Instruction& instruction) { return by_pc_[pc_of(instruction)]; }

  Share& of_warp(std::size_t warp) {
    if (current_.size() <= warp) current_.resize(warp + 1);
    return current_[warp];
  }
  void touched(const Touch& touch, Work& work, Share& share);
  // Adds the accesses of a warp since the last call to the counters, or forgets them.
  void settle(std::size_t warp, bool counts);

  // An access of a warp that is not yet counted.
  struct Pending {
    std::size_t pc = 0;
    Work work;
    Share share;
  };

  const Program& program_;
  bool waiting_apart_;
  std::vector<std::vector<Pending>> pending_;  // by warp of the current block
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
