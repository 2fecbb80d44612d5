// A shadow cell: the last access to a word of memory, packed into 64 bits; 0 means no access. Fields from the
// most significant bit down, with widths in bits:
//
//   global memory  launch 6 | block 20 | clock 12 | thread 10 | site 9 | step 2 | flags 5
//   shared memory  clock 36 (from bit 62 down) | thread 10 | site 12 | flags 5
//
// The clock is the logical time of the accessing warp; it advances at fences and synchronisation. The site is
// the index of the access's source location. In shared memory the clock continues from block to block, so
// that a cell of an earlier block is less than every cell of the current one; in global memory it counts from
// its block's start. A block that exceeds 4096 clocks continues under another block number (BlockNumbers).
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpmark::simulator {

using Cell = std::uint64_t;

// Flags of a cell. If a cell represents several threads (readers, or atomic updates), its thread field names
// one of them.
inline constexpr Cell kStrong = 1;  // flag: atomic operation, or volatile, relaxed or acquire access
// Flag. Together with kStrong: the access is atomic, not merely volatile. Alone, in a writer cell: an atomic
// update after a plain store by the same block (is_after_store()).
inline constexpr Cell kAtomic = 2;
// mask of a shadow cell's two-bit field that holds a value of enum Several
inline constexpr Cell kSeveral = 12;
inline constexpr unsigned kSeveralShift = 2;
inline constexpr Cell kInBlock = 16;  // flag of an access that is atomic only within its block (scope cta)
// Same bit as kInBlock, in cells of volatile stores: the storing thread had executed a fence before.
inline constexpr Cell kBehindFence = 16;
// Same bit as kInBlock, in cells of non-atomic readers: the readers are at several source lines, of which the
// cell names one.
inline constexpr Cell kSeveralSites = 16;
enum class Several : std::uint8_t { one, of_a_warp, of_a_block, of_several_blocks };

inline constexpr std::uint32_t kThreadField = 0x3FF;

struct GlobalCell {
  static constexpr unsigned kStepShift = 5;
  static constexpr unsigned kSiteShift = 7;
  static constexpr unsigned kThreadShift = 16;
  static constexpr unsigned kClockShift = 26;
  static constexpr unsigned kBlockShift = 38;
  static constexpr unsigned kLaunchShift = 58;
  static constexpr std::uint32_t kSites = 1 << 9;
  static constexpr unsigned kClockBits = 12;
  static constexpr std::uint64_t kClocks = 1 << kClockBits;
  // Highest block number, shared by all blocks whose index does not fit into the field.
  static constexpr std::uint64_t kUnknownBlock = (1 << 20) - 1;
  // Number of launch numbers: 1 to 62 for launches, 0 for accesses before all launches.
  static constexpr std::uint32_t kLaunches = 63;
  static constexpr Cell kSteps = Cell{3} << kStepShift;

  static constexpr std::uint32_t launch(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kLaunchShift);
  }
  static constexpr std::uint64_t block(Cell cell) { return cell >> kBlockShift & kUnknownBlock; }
  static constexpr std::uint64_t clock(Cell cell) { return cell >> kClockShift & (kClocks - 1); }
  static constexpr std::uint32_t thread(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kThreadShift) & kThreadField;
  }
  static constexpr std::uint32_t site(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kSiteShift) & (kSites - 1);
  }
  // Returns log2 of the number of consecutive words that each lane accesses; meaningful only in the cell of a
  // 128-byte row.
  static constexpr std::uint32_t step(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kStepShift) & 3;
  }
};

struct SharedCell {
  static constexpr unsigned kSiteShift = 5;
  static constexpr unsigned kThreadShift = 17;
  static constexpr unsigned kClockShift = 27;
  static constexpr std::uint32_t kSites = 1 << 12;
  // Cell of words that belong to no array (between arrays or after the last one). Greater than every cell
  // with a clock.
  static constexpr Cell kNobodys = Cell{1} << 62;

  static constexpr std::uint64_t clock(Cell cell) { return cell >> kClockShift; }
  static constexpr std::uint32_t thread(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kThreadShift) & kThreadField;
  }
  static constexpr std::uint32_t site(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kSiteShift) & (kSites - 1);
  }
};

// True for a writer cell of an atomic update whose block had stored to the word non-atomically before
// (watch/plain_stores.h).
constexpr bool is_after_store(Cell cell) {
  return (cell & (kAtomic | kStrong)) == kAtomic;
}
constexpr Several several(Cell cell) {
  return static_cast<Several>((cell & kSeveral) >> kSeveralShift);
}
constexpr Cell with_several(Cell cell, Several how_many) {
  return (cell & ~kSeveral) | static_cast<Cell>(how_many) << kSeveralShift;
}

}  // namespace warpmark::simulator
