// Handlers of what is no arithmetic and no memory access: branches, calls, barriers. Most only raise an
// event.
#pragma once

#include <cstdint>

#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

// Instruction::detail of collectives.
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
// Instruction::detail of barriers of a block; operands: result, barrier's number, number of threads,
// predicate.
enum class BlockBarrier : std::uint8_t { sync, population_count, all_of, any_of, arrive };

namespace control {

void jump(Context& c, const Instruction& i);
void jump_back(Context& c, const Instruction& i);  // to an earlier pc: counted
void branch(Context& c, const Instruction& i);     // operands[0]: predicate; detail: 1 if negated
void branch_back(Context& c, const Instruction& i);
void call(Context& c, const Instruction& i);
void call_indirect(Context& c, const Instruction& i);  // operands[1]: address of the function
void function_return(Context& c, const Instruction& i);
void exit_lanes(Context& c, const Instruction& i);
void block_barrier(Context& c, const Instruction& i);
void collective(Context& c, const Instruction& i);
void fence(Context& c, const Instruction& i);  // detail: 1 when for the own block only
void sleep(Context& c, const Instruction& i);
void nothing(Context& c, const Instruction& i);
void active_mask(Context& c, const Instruction& i);
void clock(Context& c, const Instruction& i);  // width: 4 or 8
void trap(Context& c, const Instruction& i);
void index_out_of_bounds(Context& c, const Instruction& i);  // operands[0]: the index, if known; width: its
void unsupported(Context& c, const Instruction& i);          // target: index into Program::unsupported

}  // namespace control
}  // namespace warpmark::simulator
