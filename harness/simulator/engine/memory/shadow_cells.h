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

// Flag bits of a race-detector cell, the record of the last access to a word. If a cell stands for several
// threads (readers, or atomic updates), its thread field names one of them.
inline constexpr Cell kStrong = 1;  // race-detector cell flag: atomic, volatile, relaxed or acquire access
// Race-detector cell flag. With kStrong: the access is atomic, not merely volatile. Without, in a writer
// cell: an atomic update of a word that the same block had stored to non-atomically before.
inline constexpr Cell kAtomic = 2;
// mask of a race-detector cell's two bits that say how many threads the cell stands for (enum Several)
inline constexpr Cell kSeveral = 12;
inline constexpr unsigned kSeveralShift = 2;
// Race-detector cell flag: access atomic only within its block (scope .cta).
inline constexpr Cell kInBlock = 16;
// Cell flag of volatile stores (same bit as kInBlock): the storing thread had executed a memory fence before
// the store.
inline constexpr Cell kBehindFence = 16;
// Cell flag of non-atomic readers (same bit as kInBlock): readers at several source lines share the cell,
// whose site field names one of them.
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
  // Block number in race-detector cells shared by all blocks whose index does not fit into the 20-bit field;
  // the detector cannot tell them apart.
  static constexpr std::uint64_t kUnknownBlock = (1 << 20) - 1;
  // Number of values of a race-detector cell's launch field: 1 to 62 for simulated launches; 0 for accesses
  // that precede all of them.
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
  // Decodes the step field of a 128-byte row's race-detector cell: log2 of the number of consecutive words
  // that each lane accesses. Cells of words and bytes do not have the field.
  static constexpr std::uint32_t step(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kStepShift) & 3;
  }
};

struct SharedCell {
  static constexpr unsigned kSiteShift = 5;
  static constexpr unsigned kThreadShift = 17;
  static constexpr unsigned kClockShift = 27;
  static constexpr std::uint32_t kSites = 1 << 12;
  // Race-detector cell of shared-memory words that belong to no array (between arrays or after the last one):
  // an access to them is out of bounds. Compares greater than every cell with a clock.
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
