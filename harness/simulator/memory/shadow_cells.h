// The last access to a word of memory, in 64 bits. 0: none ever.
//
//   global  launch 6 | block 20 | clock 12 | thread 10 | site 9 | step 2 | flags 5
//   shared  clock 36 (bit 62 down) | thread 10 | site 12 | flags 5
//
// The clock of a shared cell runs on from block to block, so a cell of an earlier block is older than all of
// this one's; that of a global cell counts from its block's begin. A block that runs for longer than 4096
// clocks goes on under another number (BlockNumbers).
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpmark::simulator {

using Cell = std::uint64_t;

// Flags. Of several threads that read, or update atomically, a cell names the last.
inline constexpr Cell kStrong = 1;    // an atomic operation, or a volatile, relaxed or acquire access
inline constexpr Cell kAtomic = 2;    // of these, what is not merely volatile; alone: is_after_store
inline constexpr Cell kSeveral = 12;  // the field below
inline constexpr unsigned kSeveralShift = 2;
inline constexpr Cell kInBlock = 16;      // atomic within its block alone
inline constexpr Cell kBehindFence = 16;  // the same bit of a volatile store: its thread has fenced before
// The same bit of readers that are not atomic: they read at several lines, of which the cell names one.
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
  static constexpr std::uint64_t kUnknownBlock = (1 << 20) - 1;  // this one and all behind it
  static constexpr std::uint32_t kLaunches = 63;                 // 1 to 62; 0: before all launches
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
  // Of a row: log2 of the words side by side that a lane touches.
  static constexpr std::uint32_t step(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kStepShift) & 3;
  }
};

struct SharedCell {
  static constexpr unsigned kSiteShift = 5;
  static constexpr unsigned kThreadShift = 17;
  static constexpr unsigned kClockShift = 27;
  static constexpr std::uint32_t kSites = 1 << 12;
  // No thread writes here: between two arrays, behind the last. Younger than every clock.
  static constexpr Cell kNobodys = Cell{1} << 62;

  static constexpr std::uint64_t clock(Cell cell) { return cell >> kClockShift; }
  static constexpr std::uint32_t thread(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kThreadShift) & kThreadField;
  }
  static constexpr std::uint32_t site(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kSiteShift) & (kSites - 1);
  }
};

// Of a writer: an atomic update whose block has stored there plainly before (watch/plain_stores.h).
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
