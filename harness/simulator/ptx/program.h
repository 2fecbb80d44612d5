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

// Location of an operand's 32 lane values: the low two bits select the base (registers, constants, rows of
// the warp, rows of the block), the other bits are a byte offset (a multiple of 64). A predicate is a single
// 32-bit lane mask.
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
  // Operand layout of decoded instructions. Memory access: up to four values, then the address in
  // [kAddressOperand]. Warp-wide operation such as a shuffle: member mask in [kAddressOperand], predicate in
  // [kPredicateOperand].
  std::array<Operand, 6> operands{};
  // immediate byte offset of a memory access, added to each lane's address or, for accesses to the stack
  // frame, counted from the frame's start
  std::int64_t offset = 0;
  // Index in an instruction, whose meaning depends on the opcode: target pc of a branch, function index of a
  // call, cache slot of a memory access.
  std::uint32_t target = 0;
  std::uint32_t rejoin = kNowhere;  // reconvergence pc of a branch
  std::uint32_t location = 0;
  Operand guard = kNoOperand;
  ptx::Space space = ptx::Space::none;  // state space of a memory access; none: generic address space
  std::uint8_t width = 0;               // bytes per lane that a memory access transfers
  // small operand of an instruction, whose meaning depends on the opcode; for a store: bytes per register
  std::uint8_t detail = 0;
  bool guard_negated = false;
  Strength strength = Strength::weak;
  // true: a load whose value a later compare-and-swap validates, so that the race detector does not report it
  // (decode/guesses.h)
  bool guess = false;
  std::uint16_t site = 0;  // index in Program::sites of the source line of a memory access

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
  std::string name;  // demangled name
  // byte offset of a shared array in the block's shared memory, including the gaps between arrays
  std::size_t offset = 0;
  std::size_t bytes = 0;  // bytes of a shared array; 0 for dynamic shared memory, sized at launch
  std::size_t element = 4;
};

struct ProgramFunction {
  std::string name;  // mangled name
  std::string display_name;
  bool entry = false;
  std::uint32_t begin = 0;  // pc of the first instruction of a device function
  std::uint32_t end = 0;
  std::size_t register_bytes = 0;
  // bytes of a function's stack frame per lane: received parameters, then local variables
  std::size_t frame_bytes = 0;
  // bytes per lane behind a function's stack frame that hold the arguments and results of the functions it
  // calls
  std::size_t outgoing_bytes = 0;
  std::vector<std::size_t> parameter_offsets;  // byte offsets of an entry function's parameters
  std::vector<std::size_t> parameter_sizes;
  std::vector<std::size_t> parameter_alignments;
  std::size_t parameter_bytes = 0;
  std::vector<bool> parameter_reads;  // a flag per byte of parameter memory: true if the code may read it
  std::vector<ptx::PointerParameter> pointers;
  // bytes of a kernel's static shared arrays, without the gaps that the simulator inserts between arrays
  std::size_t static_shared_bytes = 0;
  // byte offset of the end of a kernel's static shared arrays, including the gaps between arrays
  std::size_t shared_end = 0;
  std::vector<SharedVariable> shared;
  // local arrays of a device function, by byte offset from the start of its stack frame
  std::vector<ptx::LocalArray> arrays;
};

// A source line with memory accesses. The loads of the line's read-modify-write sequences (decode/updates.h)
// and its polling loads (decode/guesses.h) count as separate sites.
struct Site {
  std::uint32_t location = 0;
  bool update = false;
  bool poll = false;
};

// The register that holds the value of a floating-point operation, a load, a store or an atomic operation. A
// compare-and-swap has two: what it stores, and its result, by which a lock is taken.
struct ValueOperand {
  std::uint32_t pc = 0;
  Operand operand = kNoOperand;
  std::uint8_t bytes = 0;  // per lane
  bool is_source = false;  // true: the instruction reads the value; false: the value is its result
  bool is_real = false;    // true: a floating-point operation
};

struct Program {
  std::vector<Instruction> code;
  std::vector<ValueOperand> values;  // sorted by pc; of a vector the first element
  // Error messages of PTX instructions that the simulator does not support. Such an instruction is decoded as
  // a placeholder that reports its message when executed; `target` of the placeholder is the message's index
  // in this list.
  std::vector<std::string> unsupported;
  // pcs of unsupported PTX instructions, which are decoded as placeholders that report an error when executed
  std::vector<std::uint32_t> unsupported_at;
  Bytes constants;
  std::vector<ptx::Location> locations;
  std::vector<ptx::Location> callers;  // call sites of inlined functions, indexed by Location::caller
  // all source lines with memory accesses, by number (Instruction::site); sites[0] stands for an unknown line
  std::vector<Site> sites{{}};
  std::unordered_map<std::uint32_t, std::string> files;
  std::vector<ProgramFunction> functions;
  std::uint32_t memory_slots = 0;
};

// Device function pointers hold addresses from here on, a range that no data address falls into.
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
  // Special registers of 64 bits take two consecutive rows, one for each half.
  dynamic_shared,
  dynamic_shared_2,  // byte offset of dynamic (extern) shared memory in the block's shared memory
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
