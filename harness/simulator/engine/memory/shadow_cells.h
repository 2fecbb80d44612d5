// A shadow cell: the last access to a word of memory, in 64 bits. 0 means no access.
//
//   global  launch 6 | block 20 | clock 12 | thread 10 | site 9 | step 2 | flags 5
//   shared  clock 36 (bit 62 down) | thread 10 | site 12 | flags 5
//
// The clock of a shared cell continues from block to block, so a cell of an earlier block is less than every
// cell of the current one; the clock of a global cell counts from its block's start. A block that exceeds
// 4096 clocks continues under another block number (BlockNumbers).
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpmark::simulator {

using Cell = std::uint64_t;

// Flags. If a cell represents several threads (readers, or atomic updates), its thread field names one of
// them.
inline constexpr Cell kStrong = 1;  // an atomic operation, or a volatile, relaxed or acquire access
// A strong access that is atomic, not merely volatile; without kStrong: see is_after_store
inline constexpr Cell kAtomic = 2;
inline constexpr Cell kSeveral = 12;  // mask of the field for Several
inline constexpr unsigned kSeveralShift = 2;
inline constexpr Cell kInBlock = 16;  // atomic only within its block (scope cta)
// Same bit, in a volatile store: its thread had executed a fence before
inline constexpr Cell kBehindFence = 16;
// Same bit, in non-atomic reader cells: the readers are at several source lines, of which the cell names one.
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
  static constexpr std::uint64_t kUnknownBlock = (1 << 20) - 1;  // shared by all blocks from this number on
  // Launch numbers are 1 to 62; 0: before all launches
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
  // In a row's cell: log2 of the number of consecutive words that each lane accesses.
  static constexpr std::uint32_t step(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kStepShift) & 3;
  }
};

struct SharedCell {
  static constexpr unsigned kSiteShift = 5;
  static constexpr unsigned kThreadShift = 17;
  static constexpr unsigned kClockShift = 27;
  static constexpr std::uint32_t kSites = 1 << 12;
  // Marks words of no array (between arrays, after the last one). Greater than every cell with a clock.
  static constexpr Cell kNobodys = Cell{1} << 62;

  static constexpr std::uint64_t clock(Cell cell) { return cell >> kClockShift; }
  static constexpr std::uint32_t thread(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kThreadShift) & kThreadField;
  }
  static constexpr std::uint32_t site(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kSiteShift) & (kSites - 1);
  }
};

// True for a writer cell of an atomic update whose block had stored to the word plainly before
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
