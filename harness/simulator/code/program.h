// A module as the machine runs it: flat decoded instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

inline constexpr unsigned kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;
inline constexpr std::uint32_t kNowhere = 0xFFFFFFFF;  // no such pc
inline constexpr std::size_t kRowBytes =
    std::size_t{4} * kLanes;  // local memory: one 4-byte word of each lane

struct Context;
struct Instruction;
using Handler = void (*)(Context&, const Instruction&);

// Where the 32 values of an operand lie: a base in the low two bits, a byte offset in the others (multiples
// of 64). A predicate is one 32-bit mask there.
using Operand = std::uint32_t;
inline constexpr Operand kRegisters = 0;
inline constexpr Operand kConstants = 1;
inline constexpr Operand kWarpRows = 2;
inline constexpr Operand kBlockRows = 3;
inline constexpr std::uint32_t kBaseMask = 3;
inline constexpr Operand kNoOperand = 0xFFFFFFFF;

// What an access promises threads that meet there. Volatile makes it happen, no more: it is not atomic.
enum class Strength : std::uint8_t { weak, is_volatile, atomic, atomic_in_block };

// What an instruction reads and writes: value operands first (a destination is operands[0]); others as
// listed.
struct Instruction {
  Handler handler = nullptr;
  // Memory: up to four values, address in [kAddressOperand]. Warp-wide exchange: member mask there, predicate
  // in [5].
  std::array<Operand, 6> operands{};
  std::int64_t offset = 0;          // added to addresses; bytes from the frame for frame accesses
  std::uint32_t target = 0;         // pc of a branch; function of a call; cache slot of a memory access
  std::uint32_t rejoin = kNowhere;  // where the two sides of a branch meet again
  std::uint32_t location = 0;
  Operand guard = kNoOperand;
  ptx::Space space = ptx::Space::none;  // none: generic
  std::uint8_t width = 0;               // bytes a lane that a memory access touches
  std::uint8_t detail = 0;              // what the handler makes of it; of a store: bytes of a register
  bool guard_negated = false;
  Strength strength = Strength::weak;
  bool guess = false;      // a load of what a compare-and-swap of the same variable tests
  std::uint16_t site = 0;  // of a memory access: index into Program::sites

  [[nodiscard]] bool strong() const { return strength != Strength::weak; }
};
inline constexpr std::size_t kAddressOperand = 4;
inline constexpr std::size_t kPredicateOperand = 5;

// Memory for lanes: cache line aligned, so that vector loads are.
template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  LineAllocator() = default;
  template <class U>
  LineAllocator(const LineAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
using Bytes = std::vector<std::byte, LineAllocator<std::byte>>;

// Between two shared arrays lies an unused gap, so that an index that runs out of one does not
// end up in the next. Each lies where it would without gaps, plus a multiple of all banks: conflicts stay
// what they are.
inline constexpr std::size_t kSharedGapBytes = 128;  // at least
inline constexpr std::size_t kSharedGapStep = 256;   // and no alignment is larger

// The place behind `end` of what would lie at `offset` without gaps. end: 0 when nothing lies before.
constexpr std::size_t behind_gap(std::size_t offset, std::size_t end) {
  while (end != 0 && offset < end + kSharedGapBytes) offset += kSharedGapStep;
  return offset;
}

struct SharedVariable {
  std::string name;        // demangled
  std::size_t offset = 0;  // gaps included
  std::size_t bytes = 0;   // 0: as many as the launch gives
  std::size_t element = 4;
};

struct ProgramFunction {
  std::string name;  // mangled
  std::string display_name;
  bool entry = false;
  std::uint32_t begin = 0;  // pc of its first instruction
  std::uint32_t end = 0;
  std::size_t register_bytes = 0;
  std::size_t frame_bytes = 0;                 // of local memory a lane: incoming values, then the depot
  std::size_t outgoing_bytes = 0;              // behind the frame: values for the functions it calls
  std::vector<std::size_t> parameter_offsets;  // of an entry
  std::vector<std::size_t> parameter_sizes;
  std::vector<std::size_t> parameter_alignments;
  std::size_t parameter_bytes = 0;
  std::vector<ptx::PointerParameter> pointers;
  std::size_t static_shared_bytes = 0;  // without gaps
  std::size_t shared_end = 0;           // of the static arrays, with gaps
  std::vector<SharedVariable> shared;
  std::vector<ptx::LocalArray> arrays;  // offsets from the frame's begin
};

// A line with memory accesses, or with loads of updates (decode/updates.h), or with loads that a loop waits
// for (decode/guesses.h).
struct Site {
  std::uint32_t location = 0;
  bool update = false;
  bool poll = false;
};

struct Program {
  std::vector<Instruction> code;
  std::vector<std::string> unsupported;       // messages, by Instruction::target of the stand-in
  std::vector<std::uint32_t> unsupported_at;  // their pcs
  Bytes constants;
  std::vector<ptx::Location> locations;
  std::vector<ptx::Location> callers;  // by Location::caller
  std::vector<Site> sites{{}};         // the first is unknown
  std::unordered_map<std::uint32_t, std::string> files;
  std::vector<ProgramFunction> functions;
  std::uint32_t memory_slots = 0;
};

// A function's address, as function pointers hold it: no address of anything else.
inline constexpr Address kFunctionAddresses = 0x10000;
inline constexpr Address kFunctionStep = 16;
constexpr Address function_address(std::uint32_t index) {
  return kFunctionAddresses + index * kFunctionStep;
}

// Rows of special registers. A warp has its own of the first kind for the whole launch; a block's are shared
// by its warps.
enum class WarpRow : std::uint32_t {
  tid_x,
  tid_y,
  tid_z,
  laneid,
  warpid,
  mask_eq,
  mask_lt,
  mask_le,
  mask_gt,
  mask_ge,
  count
};
enum class BlockRow : std::uint32_t {
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  nwarpid,
  smid,
  nsmid,
  // 64-bit values take two rows.
  dynamic_shared,
  dynamic_shared_2,  // offset of extern shared memory
  shared_window,
  shared_window_2,  // what makes a shared address generic
  local_window,
  local_window_2,
  count
};
constexpr Operand operand_of(WarpRow row) {
  return static_cast<Operand>(static_cast<std::size_t>(row) * kRowBytes) | kWarpRows;
}
constexpr Operand operand_of(BlockRow row) {
  return static_cast<Operand>(static_cast<std::size_t>(row) * kRowBytes) | kBlockRows;
}

}  // namespace warpmark::simulator
