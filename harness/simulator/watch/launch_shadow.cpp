// Race detector: state of one kernel launch. Scans the kernel's code for fences, barriers and narrow
// accesses, so that the checks they need are enabled only then.
#include <vector>

#include "harness/simulator/engine/functions/device_library.h"
#include "harness/simulator/engine/machine/control_operations.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

std::vector<GlobalShadow::Range> live_ranges(const DeviceMemory& memory) {
  std::vector<GlobalShadow::Range> ranges;
  for (const Allocation& allocation : memory.allocations()) {
    if (allocation.place != kNoPlace) ranges.push_back({allocation.place, allocation.bytes});
  }
  return ranges;
}

// Calls fn(instruction) for each instruction of the kernel and of all functions reachable by calls. An
// indirect call may reach any function of the program.
template <class Visit>
void visit_code(const Program& program, const ProgramFunction& kernel, Visit fn) {
  std::vector<bool> seen(program.functions.size());
  std::vector<std::size_t> work;
  const auto add = [&](std::size_t function) {
    if (!seen[function]) work.push_back(function);
    seen[function] = true;
  };
  add(static_cast<std::size_t>(&kernel - program.functions.data()));
  while (!work.empty()) {
    const ProgramFunction& function = program.functions[work.back()];
    work.pop_back();
    for (std::uint32_t pc = function.begin; pc < function.end; ++pc) {
      const Instruction& instruction = program.code[pc];
      fn(instruction);
      if (instruction.handler == control::call) add(instruction.target);
      if (instruction.handler != control::call_indirect) continue;
      for (std::size_t any = 0; any < seen.size(); ++any) add(any);
    }
  }
}

}  // namespace

LaunchShadow::LaunchShadow(const Program& of_program, const ProgramFunction& kernel, const DeviceMemory& of,
                           std::uint64_t blocks)
    : program(of_program), memory(of), global(memory.shadow()), numbers(blocks) {
  grid_barrier();
  for (const ProgramFunction& function : program.functions)
    local_arrays = local_arrays || !function.arrays.empty();
  for (const Instruction& instruction : program.code) {
    barriers = barriers || instruction.handler == control::block_barrier;
    part_barriers = part_barriers || instruction.handler == device_library::barrier_arrive ||
                    (instruction.handler == control::block_barrier && instruction.operands[2] != kNoOperand);
  }
  visit_code(program, kernel, [&](const Instruction& instruction) {
    fences = fences || instruction.handler == control::fence;
    meets_apart = meets_apart || (instruction.handler == control::collective && instruction.target != 0);
    bytewise =
        bytewise || (instruction.site != 0 && instruction.width < 4 &&
                     (instruction.space == ptx::Space::shared || instruction.space == ptx::Space::none));
  });
}

void LaunchShadow::grid_barrier() {
  launch = global.next_launch(live_ranges(memory));
}

}  // namespace warpmark::simulator
