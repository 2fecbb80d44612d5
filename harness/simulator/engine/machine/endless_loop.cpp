// Explains loops in kernels that do not end.
#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/memory_names.h"

namespace warpmark::simulator {

// True if the loop that ends with this backward branch makes volatile or atomic accesses outside of shared
// memory, and the kernel has a pointer to managed or pinned memory: the loop may wait for the host.
bool Block::waits_for_host(const Instruction& branch) const {
  const Instruction* code = launch_.program.code.data();
  const auto end = static_cast<std::uint32_t>(&branch - code);
  const bool polls =
      std::any_of(code + std::min(branch.target, end), code + end,
                  [](const Instruction& each) { return each.strong() && each.space != ptx::Space::shared; });
  return polls && std::ranges::any_of(launch_.pointers, [&](const NamedPointer& pointer) {
           const AllocationView* at = allocation_below(launch_, pointer.value);
           return at != nullptr && !at->allocation.freed &&
                  (at->allocation.kind == Allocation::Kind::managed ||
                   at->allocation.kind == Allocation::Kind::host_pinned);
         });
}

// Returns a thread that has left the loop, which ends with this backward branch, and waits where its warp
// reconverges, while other lanes of the warp repeat an atomic operation in the loop; empty if there is none.
std::string Block::thread_behind(const Instruction& branch) const {
  const Instruction* code = launch_.program.code.data();
  const auto end = static_cast<std::uint32_t>(&branch - code);
  const bool retries =
      std::any_of(code + std::min(branch.target, end), code + end, [](const Instruction& each) {
        return each.strength == Strength::atomic || each.strength == Strength::atomic_in_block;
      });
  for (const Warp& warp : warps_) {
    std::uint32_t ready = 0;
    for (const auto& split : warp.splits()) {
      if (split.state == Warp::State::ready) ready |= split.mask;
    }
    const std::uint32_t waiting = warp.live() & ~ready;
    if (retries && ready != 0 && waiting != 0)
      return thread_name(warp, static_cast<unsigned>(std::countr_zero(waiting)));
  }
  return {};
}

// Reports the outermost loop that still iterates as the endless one: inner loops terminate and start again.
void Block::report_endless_loop(const Instruction& instruction) {
  const Instruction* culprit = &instruction;
  const Instruction* code = launch_.program.code.data();
  const auto rank = [&](const Instruction* branch) {
    const auto pc = static_cast<std::uint32_t>(branch - code);
    const std::uint32_t span = branch->target < pc ? pc - branch->target : 0;
    return std::pair(-static_cast<int>(back_edges_[branch].depth), span);
  };
  for (const auto& [branch, edge] : back_edges_) {
    if (edge.count >= 2 && rank(branch) > rank(culprit)) culprit = branch;
  }
  if (time_limit_ != 0) {
    return stop(
        CauseKind::endless_loop, culprit,
        fmt::format(
            "still running after {} warp instructions of {}, at line {}; the limit is {} s of processor "
            "time: does its condition ever become false? Else use more threads, or a smaller input",
            executed_ - block_began_, block_name(), location(*culprit).line, time_limit_));
  }
  if (waits_for_host(*culprit)) {
    return stop(CauseKind::unsupported, culprit,
                fmt::format("the loop waits for a value in memory of the host, which host code may set while "
                            "the kernel runs; the simulator goes on with the program when a kernel has "
                            "ended, so that {} waits for ever",
                            block_name()));
  }
  if (const std::string holder = thread_behind(*culprit); !holder.empty()) {
    return stop(
        CauseKind::endless_loop, culprit,
        fmt::format("the loop had not ended after {} warp instructions of {}: its threads try an atomic "
                    "operation again and again, and {} has left the loop and waits behind it for other "
                    "lanes of its own warp. If it holds the lock that they want, it never gets to release "
                    "it: let one thread per block take the lock, or work and release it inside the loop, "
                    "`if (atomicCAS(...) == 0) {{ ...; atomicExch(...); done = true; }}`",
                    executed_ - block_began_, block_name(), holder));
  }
  stop(
      CauseKind::endless_loop, culprit,
      fmt::format(
          "the loop had not ended after {} warp instructions of {}: its condition never becomes false, or it "
          "waits for a value that no running thread writes",
          executed_ - block_began_, block_name()));
}

}  // namespace warpmark::simulator
