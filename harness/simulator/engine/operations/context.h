// State of the simulated machine that an instruction's handler can access.
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

// Event that a handler raises, on which the warp acts before its next instruction.
enum class ControlEvent : std::uint8_t {
  none,
  diverge,  // divergent branch: the lanes in Context::taken jump
  call,
  call_indirect,
  function_return,
  exit,
  barrier,
  collective,  // warp collective: shfl, vote, bar.warp.sync, ...
  grid_barrier,
  barrier_object,
  clock,
  yield,  // many backward branches taken: other lanes and warps get a turn
  stop,   // a fatal finding ended the thread block
};

enum class Access : std::uint8_t { read, write, atomic };

inline constexpr std::ptrdiff_t kNoShadow = PTRDIFF_MIN;

// Cache per memory instruction: the allocation that the instruction accessed last.
struct Hit {
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::ptrdiff_t delta = 0;  // host address minus device address, of each byte of the allocation
  // offset in the race detector's shadow minus device address, of each byte of the allocation
  std::ptrdiff_t shadow = kNoShadow;
};

// Execution count of one instruction: executions by warps, and the sum of the active lanes over these.
struct ExecutionCount {
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;
};

// Base addresses and lane mask with which instruction handlers access the operand values of a set of lanes.
struct LaneValues {
  // base address of each kind of operand storage, indexed by an operand's low bits (kBaseMask)
  std::array<std::byte*, 4> bases{};
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
  std::uint32_t pc = 0;  // pc of the next instruction
  ControlEvent event = ControlEvent::none;
  std::uint32_t taken = 0;
  const Instruction* instruction = nullptr;  // instruction that raised the control event (barrier, call, ...)
  std::uint32_t back_branches_left = 0;      // backward branches left before ControlEvent::yield is raised

  std::byte* frame = nullptr;     // stack frame of the current function, in local memory
  std::byte* local = nullptr;     // local memory of the warp, interleaved by lane
  std::uint64_t local_bytes = 0;  // local memory per lane in bytes, up to the end of the current frame
  Address local_window = 0;
  std::byte* shared = nullptr;
  std::uint64_t shared_bytes = 0;
  Address shared_window = 0;
  const std::byte* parameters = nullptr;  // values of the kernel's arguments
  std::uint64_t parameter_bytes = 0;
  Hit* hits = nullptr;  // caches of memory instructions (Hit), indexed by Instruction::target
  Warp* warp = nullptr;
  // The thread block's race detector and performance counters; null if simulated without them.
  BlockObserver* observer = nullptr;
  // Flag of the launch. Set if running the same launch again might change memory further or differently, so
  // that the repetition must be simulated, too: a changed byte of global memory, an atomic operation on
  // global memory, an access to host memory, a clock reading.
  std::atomic<bool>* lasting_effect = nullptr;
  // Flag of the launch. Set if the launch depends on, or changes, something other than device memory: the
  // clock, the heap, a child launch, memory that the host may write concurrently.
  std::atomic<bool>* reaches_further = nullptr;
  // Flag of the launch. Set if the result may depend on the order of blocks or warps although no two accesses
  // race: an atomic or strong access, the clock, the heap.
  std::atomic<bool>* order_matters = nullptr;
  // Execution counters of the program's instructions, indexed by pc; null if executions are not counted.
  ExecutionCount* execution_counts = nullptr;

  // per lane: address of the current memory access, instruction offset included
  alignas(64) std::array<Address, kLanes> addresses{};
};

// Host location of one lane's value. In local memory, consecutive 4-byte words of one lane are kRowBytes
// (128) bytes apart. Members have no initialisers on purpose: each access has 32 slots and rarely needs one.
struct Slot {
  std::byte* host;
  bool local;
  std::size_t place;  // offset of the value in the shadow of global memory, or kNoPlace
};
using Slots = std::array<Slot, kLanes>;

// Slow path of memory accesses: finds each active lane's host location (from Context::addresses), or reports
// a fatal finding and returns false.
bool locate_lanes(Context& context, const Instruction& instruction, Access access, Slots& slots);
// Stores the allocation that contains the address in the instruction's cache entry (Hit). Returns false if no
// allocation contains the address, or if that allocation does not permit the access or must not be cached.
bool refresh_hit(Context& context, const Instruction& instruction, Access access, Address address);

}  // namespace warpmark::simulator
