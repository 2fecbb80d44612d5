// Computes where diverged lanes reconverge: at the immediate post-dominator of each branch.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Kind of an instruction by its successors in the control-flow graph.
enum class Flow : std::uint8_t {
  next,
  jump,    // unconditional branch
  branch,  // conditional branch: successors are the target and the next instruction
  leave,   // return from a device function
  end,     // kernel end: the thread exits
  dead,    // early exit of a thread (trap, or exit in a device function): other lanes do not wait for it
};

// Sets Instruction::rejoin, the pc at which diverged lanes reconverge, for all branches in code[begin, end).
// flows[i] belongs to code[begin + i]; branch targets are pcs. rejoin is kNowhere if the two sides do not
// meet before the threads exit, so that lanes need not wait for each other.
void find_rejoins(std::vector<Instruction>& code, std::uint32_t begin, std::uint32_t end,
                  const std::vector<Flow>& flows);

}  // namespace warpmark::simulator
