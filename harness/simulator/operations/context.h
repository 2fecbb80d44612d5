// What an instruction's handler sees of the machine: the lanes that execute it and everything they can reach.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "harness/simulator/code/program.h"
#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

class Warp;
class BlockObserver;

// Why the machine has to look at a warp between two instructions.
enum class Event : std::uint8_t {
  none,
  diverge,  // Context::taken of the lanes go to the target
  call,
  call_indirect,
  function_return,
  exit,
  barrier,
  collective,  // shfl, vote, bar.warp.sync and the like
  grid_barrier,
  barrier_object,
  clock,
  yield,  // many backward branches: let others run
  stop,   // a fatal finding
};

enum class Access : std::uint8_t { read, write, atomic };

inline constexpr std::ptrdiff_t kNoShadow = PTRDIFF_MIN;

// The allocation that a memory instruction hit last.
struct Hit {
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::ptrdiff_t delta = 0;           // host address - device address
  std::ptrdiff_t shadow = kNoShadow;  // place in the shadow - device address
};

// How often an instruction was executed, by warps and by their lanes.
struct ExecutionCount {
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;
};

// The values that an instruction's operands stand for, and the lanes that execute it.
struct LaneValues {
  std::array<std::byte*, 4> bases{};  // by an operand's low bits
  std::uint32_t mask = 0;

  template <class T>
  [[nodiscard]] const T* read(Operand operand) const {
    return reinterpret_cast<const T*>(bases[operand & kBaseMask] + (operand & ~kBaseMask));
  }
  template <class T>
  [[nodiscard]] T* write(Operand operand) const {
    return reinterpret_cast<T*>(bases[kRegisters] + operand);
  }
};

struct Context : LaneValues {
  std::uint32_t pc = 0;  // of the next instruction
  Event event = Event::none;
  std::uint32_t taken = 0;
  const Instruction* instruction = nullptr;  // that raised the event
  std::uint32_t back_branches_left = 0;      // until Event::yield

  std::byte* frame = nullptr;     // local memory of the current function
  std::byte* local = nullptr;     // local memory of the warp, interleaved by lane
  std::uint64_t local_bytes = 0;  // a lane, up to the end of the current frame
  Address local_window = 0;
  std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  Address shared_window = 0;
  const std::byte* parameters = nullptr;  // of the kernel
  std::uint64_t parameter_bytes = 0;
  Hit* hits = nullptr;  // by Instruction::target
  Warp* warp = nullptr;
  BlockObserver* observer = nullptr;  // null: no observer
  // Of the launch: set by what the same launch might do otherwise, or do more of, when it comes again: a byte
  // of global memory that changes, an atomic operation there, an access to host memory, the clock.
  std::atomic<bool>* lasting_effect = nullptr;
  // Of the launch: set by what does not come from the memory that it began with, or changes something else:
  // the clock, the heap, a launch, what the host may write meanwhile.
  std::atomic<bool>* reaches_further = nullptr;
  // Of the launch: set by what may come out otherwise when blocks or warps run in another order, though no
  // two accesses conflict: an atomic or strong access, the clock, the heap.
  std::atomic<bool>* order_matters = nullptr;
  ExecutionCount* execution_counts = nullptr;  // by pc; null: not asked for

  alignas(64) std::array<Address, kLanes> addresses{};  // of the memory access at hand, offset included
};

// Where one lane's value lies. In local memory the next 4-byte word of a lane is a row further. Not
// initialised: an access has 32 of them and mostly needs none.
struct Slot {
  std::byte* host;
  bool local;
  std::size_t place;  // in the shadow of global memory, or kNoPlace
};
using Slots = std::array<Slot, kLanes>;

// The slow path of every access: finds each active lane's slot (by Context::addresses) or raises a fatal
// finding and returns false.
bool locate_lanes(Context& context, const Instruction& instruction, Access access, Slots& slots);
// Looks for the allocation that holds the address and remembers it. False: none does that the access may use.
bool refresh_hit(Context& context, const Instruction& instruction, Access access, Address address);

}  // namespace warpmark::simulator
