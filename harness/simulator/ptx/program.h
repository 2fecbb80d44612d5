// Executable form of a PTX module: a flat array of decoded instructions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/simulator/both/allocation.h"
#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

inline constexpr unsigned kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;
inline constexpr std::uint32_t kNowhere = 0xFFFFFFFF;  // sentinel for "no pc"
inline constexpr std::size_t kRowBytes =
    std::size_t{4} * kLanes;  // bytes of a row of local memory: one 4-byte word per lane

struct Context;
struct Instruction;
using Handler = void (*)(Context&, const Instruction&);

// Location of an operand's 32 lane values: the low two bits select one of the four bases below, the other
// bits are a byte offset (a multiple of 64). A predicate is a single 32-bit lane mask.
using Operand = std::uint32_t;
inline constexpr Operand kRegisters = 0;
inline constexpr Operand kConstants = 1;
inline constexpr Operand kWarpRows = 2;
inline constexpr Operand kBlockRows = 3;
inline constexpr std::uint32_t kBaseMask = 3;
inline constexpr Operand kNoOperand = 0xFFFFFFFF;

// Memory ordering and atomicity of an access. is_volatile guarantees only that the access happens, not that
// it is atomic.
enum class Strength : std::uint8_t { weak, is_volatile, atomic, atomic_in_block };

// A decoded instruction. Value operands come first; the destination, if any, is operands[0].
struct Instruction {
  Handler handler = nullptr;
  // Memory access: up to four values, the address in [kAddressOperand]. Warp-wide operation such as a
  // shuffle: member mask in [kAddressOperand], predicate in [kPredicateOperand].
  std::array<Operand, 6> operands{};
  // byte offset added to addresses; for accesses to the stack frame, byte offset from its start
  std::int64_t offset = 0;
  // Pc of a branch, function index of a call, or cache slot (Hit) of a memory access.
  std::uint32_t target = 0;
  std::uint32_t rejoin = kNowhere;  // reconvergence pc of a branch
  std::uint32_t location = 0;
  Operand guard = kNoOperand;
  ptx::Space space = ptx::Space::none;  // state space of a memory access; none: generic address space
  std::uint8_t width = 0;               // bytes per lane of a memory access
  // number whose meaning depends on the handler; for a store: bytes per register
  std::uint8_t detail = 0;
  bool guard_negated = false;
  Strength strength = Strength::weak;
  bool guess = false;      // a load whose value a compare-and-swap validates later (decode/guesses.h)
  std::uint16_t site = 0;  // memory access: index of its source line in Program::sites

  [[nodiscard]] bool strong() const { return strength != Strength::weak; }
};
inline constexpr std::size_t kAddressOperand = 4;
inline constexpr std::size_t kPredicateOperand = 5;

// Allocator with cache-line alignment, for vector loads of lane values.
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

// Arrays in shared memory are separated by unused gaps, so that an index past the end of one array does not
// reach the next. A gap shifts an array by a multiple of the width of all banks, so bank conflicts stay the
// same. kSharedGapBytes is the minimum size of a gap; kSharedGapStep, a multiple of every array alignment, is
// the step in which a gap grows.
inline constexpr std::size_t kSharedGapBytes = 128;
inline constexpr std::size_t kSharedGapStep = 256;

// Returns the offset of an array in shared memory, moved behind a gap. `offset` is the array's offset without
// gaps, `end` the end of the previous array (0: none).
constexpr std::size_t behind_gap(std::size_t offset, std::size_t end) {
  while (end != 0 && offset < end + kSharedGapBytes) offset += kSharedGapStep;
  return offset;
}

struct SharedVariable {
  std::string name;        // demangled name
  std::size_t offset = 0;  // byte offset in shared memory, including gaps between arrays
  std::size_t bytes = 0;   // size of the array; 0: dynamic shared memory, sized at launch
  std::size_t element = 4;
};

struct ProgramFunction {
  std::string name;  // mangled name
  std::string display_name;
  bool entry = false;
  std::uint32_t begin = 0;  // pc of the function's first instruction
  std::uint32_t end = 0;
  std::size_t register_bytes = 0;
  std::size_t frame_bytes = 0;  // bytes of stack frame per lane: parameters received, then local variables
  // bytes behind the stack frame, per lane: arguments and results of called functions
  std::size_t outgoing_bytes = 0;
  std::vector<std::size_t> parameter_offsets;  // byte offsets of an entry function's parameters
  std::vector<std::size_t> parameter_sizes;
  std::vector<std::size_t> parameter_alignments;
  std::size_t parameter_bytes = 0;
  std::vector<ptx::PointerParameter> pointers;
  std::size_t static_shared_bytes = 0;  // bytes of the static shared arrays, without gaps
  std::size_t shared_end = 0;           // byte offset of the end of the static shared arrays, including gaps
  std::vector<SharedVariable> shared;
  // local arrays of the function, with byte offsets from the start of its stack frame
  std::vector<ptx::LocalArray> arrays;
};

// A source line with memory accesses. Its loads of read-modify-write sequences (decode/updates.h) and its
// polling loads (decode/guesses.h) count as separate sites.
struct Site {
  std::uint32_t location = 0;
  bool update = false;
  bool poll = false;
};

struct Program {
  std::vector<Instruction> code;
  // One message per unsupported instruction. Instruction::target of the decoded placeholder is the index.
  std::vector<std::string> unsupported;
  std::vector<std::uint32_t> unsupported_at;  // pcs of the placeholders for unsupported instructions
  Bytes constants;
  std::vector<ptx::Location> locations;
  std::vector<ptx::Location> callers;  // call sites of inlined functions, indexed by Location::caller
  // source lines with memory accesses, indexed by Instruction::site; sites[0]: unknown line
  std::vector<Site> sites{{}};
  std::unordered_map<std::uint32_t, std::string> files;
  std::vector<ProgramFunction> functions;
  std::uint32_t memory_slots = 0;
};

// Addresses that function pointers hold begin here. Data addresses are distinct from them.
inline constexpr Address kFunctionAddresses = 0x10000;
inline constexpr Address kFunctionStep = 16;
constexpr Address function_address(std::uint32_t index) {
  return kFunctionAddresses + index * kFunctionStep;
}

// Special registers, one row of 32 lane values each. Every warp has its own WarpRows for the whole launch;
// the BlockRows are shared by the block's warps.
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
  // 64-bit values take two consecutive rows.
  dynamic_shared,
  dynamic_shared_2,  // byte offset of dynamic (extern) shared memory
  shared_window,
  shared_window_2,  // base address of the shared-memory window in the generic address space
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
