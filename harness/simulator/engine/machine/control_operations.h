// Handlers of control instructions (branches, calls, barriers). Most only raise a ControlEvent, on which the
// warp acts before its next instruction.
#pragma once

#include <cstdint>

#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

// Warp-wide collective that a PTX instruction performs: shuffle, vote, match, __syncwarp and the like;
// decoded into Instruction::detail.
enum class Collective : std::uint8_t {
  barrier,
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_butterfly,
  vote_any,
  vote_all,
  vote_uniform,
  vote_ballot,
  add,
  min_signed,
  min_unsigned,
  max_signed,
  max_unsigned,
  bit_and,
  bit_or,
  bit_xor,
  match_any
};
// Values of Instruction::detail for block barriers (bar). Operands: result, barrier number, thread count,
// predicate.
enum class BlockBarrier : std::uint8_t { sync, population_count, all_of, any_of, arrive };

namespace control {

// Instruction handler that raises kEvent, on which the warp acts before its next instruction. Sets
// Context::taken to the lanes that executed this instruction.
template <ControlEvent kEvent>
void raise(Context& c, const Instruction& i) {
  c.event = kEvent;
  c.instruction = &i;
  c.taken = c.mask;
}
// NOLINTBEGIN(readability-identifier-naming): handlers like those that are functions
inline constexpr Handler call = raise<ControlEvent::call>;
// Indirect call: operands[1] holds the address of the called function.
inline constexpr Handler call_indirect = raise<ControlEvent::call_indirect>;
inline constexpr Handler function_return = raise<ControlEvent::function_return>;
inline constexpr Handler exit_lanes = raise<ControlEvent::exit>;
inline constexpr Handler block_barrier = raise<ControlEvent::barrier>;
inline constexpr Handler collective = raise<ControlEvent::collective>;
inline constexpr Handler grid_barrier = raise<ControlEvent::grid_barrier>;
void cluster_barrier(Context& c, const Instruction& i);
inline constexpr Handler barrier_object = raise<ControlEvent::barrier_object>;
inline constexpr Handler sleep = raise<ControlEvent::yield>;
// Reads the clock. Instruction::width is the size of the result, 4 or 8 bytes.
inline constexpr Handler clock = raise<ControlEvent::clock>;
// NOLINTEND(readability-identifier-naming)

void jump(Context& c, const Instruction& i);
// Instruction handler of an unconditional backward branch. Counts against the number of backward branches
// that a warp may take before other warps get a turn.
void jump_back(Context& c, const Instruction& i);
// Conditional branch: operands[0] is the predicate; Instruction::detail is 1 if the predicate is negated.
void branch(Context& c, const Instruction& i);
void branch_back(Context& c, const Instruction& i);
// Memory fence: Instruction::detail is 1 for block scope, 0 for wider scopes.
void fence(Context& c, const Instruction& i);
void nothing(Context& c, const Instruction& i);
// cp.async. copy_started(): follows the store that makes the copy, and has its operands, width and site.
// copies_awaited(): Instruction::offset is the number of groups that may be left; -1: wait for all copies.
void copy_started(Context& c, const Instruction& i);
void copies_committed(Context& c, const Instruction& i);
void copies_awaited(Context& c, const Instruction& i);
void active_mask(Context& c, const Instruction& i);

// Instruction handlers that end the thread block with a fatal finding: __trap(), an out-of-bounds index, an
// unsupported instruction. Defined in faults.cpp.
void trap(Context& c, const Instruction& i);
// Reports a failed bounds check. operands[0] is the offending array index, if known; Instruction::width is
// the index's size in bytes.
void index_out_of_bounds(Context& c, const Instruction& i);
// Reports an unsupported instruction. Instruction::target is the index of the message in
// Program::unsupported.
void unsupported(Context& c, const Instruction& i);

}  // namespace control
}  // namespace warpmark::simulator
