// The part of the machine's state that an instruction's handler can access.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "harness/simulator/both/allocation.h"
#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

class Warp;
class BlockObserver;

// Reasons for a handler to return to the machine before the warp's next instruction.
enum class ControlEvent : std::uint8_t {
  none,
  diverge,  // the lanes in Context::taken branch to the target
  call,
  call_indirect,
  function_return,
  exit,
  barrier,
  collective,  // shfl, vote, bar.warp.sync and the like
  grid_barrier,
  barrier_object,
  clock,
  yield,  // allowance of backward branches is used up: let others run
  stop,   // a fatal finding
};

enum class Access : std::uint8_t { read, write, atomic };

inline constexpr std::ptrdiff_t kNoShadow = PTRDIFF_MIN;

// The allocation that a memory instruction accessed last (a cache).
struct Hit {
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::ptrdiff_t delta = 0;           // host address minus device address
  std::ptrdiff_t shadow = kNoShadow;  // shadow offset minus device address
};

// Executions of an instruction, by warps and summed over active lanes.
struct ExecutionCount {
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;
};

// Access to the operand values of a set of lanes.
struct LaneValues {
  std::array<std::byte*, 4> bases{};  // indexed by an operand's low bits
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
  ControlEvent event = ControlEvent::none;
  std::uint32_t taken = 0;
  const Instruction* instruction = nullptr;  // the one that raised the event
  std::uint32_t back_branches_left = 0;      // allowance until ControlEvent::yield

  std::byte* frame = nullptr;     // frame of the current function in local memory
  std::byte* local = nullptr;     // local memory of the warp, interleaved by lane
  std::uint64_t local_bytes = 0;  // bytes per lane, up to the end of the current frame
  Address local_window = 0;
  std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  Address shared_window = 0;
  const std::byte* parameters = nullptr;  // the kernel's parameters
  std::uint64_t parameter_bytes = 0;
  Hit* hits = nullptr;  // indexed by Instruction::target
  Warp* warp = nullptr;
  BlockObserver* observer = nullptr;  // null if the launch is not observed
  // Flag of the launch: set by effects that a repetition of the same launch might not reproduce or would add
  // to: a changed byte of global memory, an atomic operation on it, an access to host memory, a clock
  // reading.
  std::atomic<bool>* lasting_effect = nullptr;
  // Flag of the launch: set if it depends on, or changes, something other than device memory: the clock, the
  // heap, a child launch, memory that the host may write concurrently.
  std::atomic<bool>* reaches_further = nullptr;
  // Flag of the launch: set if the result may depend on the order of blocks or warps although no two accesses
  // conflict: an atomic or strong access, the clock, the heap.
  std::atomic<bool>* order_matters = nullptr;
  ExecutionCount* execution_counts = nullptr;  // indexed by pc; null if not wanted

  alignas(64) std::array<Address, kLanes> addresses{};  // of the current memory access, offset included
};

// Location of one lane's value. In local memory, the lane's next 4-byte word is kRowBytes further. Left
// uninitialised on purpose: each access has 32 of them and rarely needs one.
struct Slot {
  std::byte* host;
  bool local;
  std::size_t place;  // offset in the shadow of global memory, or kNoPlace
};
using Slots = std::array<Slot, kLanes>;

// Slow path of every access: finds each active lane's slot (from Context::addresses), or reports a fatal
// finding and returns false.
bool locate_lanes(Context& context, const Instruction& instruction, Access access, Slots& slots);
// Finds the allocation that contains the address and stores it in the instruction's Hit. Returns false if
// none does, or if it may not be accessed in this way.
bool refresh_hit(Context& context, const Instruction& instruction, Access access, Address address);

}  // namespace warpmark::simulator
