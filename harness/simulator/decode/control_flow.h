// Where the two sides of a branch meet again: the immediate post-dominator.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/simulator/code/program.h"

namespace warpmark::simulator {

// How an instruction goes on.
enum class Flow : std::uint8_t {
  next,
  jump,    // to the target
  branch,  // to the target or on
  leave,   // the function
  end,     // the thread, in a kernel
  dead,    // the thread, where others go on: none waits for it
};

// Sets Instruction::rejoin of all branches in code[begin, end), whose flows are given from index 0 on. Branch
// targets are pcs. kNowhere where the sides meet in no instruction, or only where all that follows is the end
// of the thread: lanes then need not wait for each other.
void find_rejoins(std::vector<Instruction>& code, std::uint32_t begin, std::uint32_t end,
                  const std::vector<Flow>& flows);

}  // namespace warpmark::simulator
