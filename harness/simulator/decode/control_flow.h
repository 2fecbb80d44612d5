// Computes reconvergence points: the immediate post-dominator of each branch.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Control flow after an instruction.
enum class Flow : std::uint8_t {
  next,
  jump,    // to the target
  branch,  // to the target, or on to the next instruction
  leave,   // returns from the function
  end,     // the thread exits, in a kernel
  dead,    // the thread ends (trap, or exit in a device function); no lane waits for it
};

// Sets Instruction::rejoin of all branches in code[begin, end). flows[i] belongs to code[begin + i]; branch
// targets are pcs. rejoin becomes kNowhere if the sides do not meet, or meet only where the thread exits:
// then lanes need not wait for each other.
void find_rejoins(std::vector<Instruction>& code, std::uint32_t begin, std::uint32_t end,
                  const std::vector<Flow>& flows);

}  // namespace warpmark::simulator
