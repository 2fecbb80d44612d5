// The last access to a word of memory, in 64 bits. 0: none ever.
//
//   global  launch 6 | block 20 | clock 12 | thread 10 | site 9 | bytes 4 | flags 3
//   shared  clock 36 (bit 62 down) | thread 10 | site 12 | flags 5
//
// The clock of a shared cell runs on from block to block, so a cell of an earlier block is older than all of
// this one's; that of a global cell counts from its block's begin and stays at the largest value once it gets
// there.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpmark::simulator {

using Cell = std::uint64_t;

// Flags of a writer and of a reader. Of several readers a cell names the last.
inline constexpr Cell kStrong = 1;   // an atomic operation, or a volatile, relaxed or acquire access
inline constexpr Cell kAtomic = 2;   // writers
inline constexpr Cell kWritten = 4;  // writers: so that no writer is 0
inline constexpr Cell kSeveral = 6;  // readers: the field below
inline constexpr unsigned kSeveralShift = 1;
enum class Readers : std::uint8_t { one, of_a_warp, of_a_block, of_several_blocks };

inline constexpr std::uint32_t kThreadField = 0x3FF;

struct GlobalCell {
  static constexpr unsigned kBytesShift = 3;
  static constexpr unsigned kSiteShift = 7;
  static constexpr unsigned kThreadShift = 16;
  static constexpr unsigned kClockShift = 26;
  static constexpr unsigned kBlockShift = 38;
  static constexpr unsigned kLaunchShift = 58;
  static constexpr std::uint32_t kSites = 1 << 9;
  static constexpr std::uint64_t kLastClock = (1 << 12) - 1;
  static constexpr std::uint64_t kUnknownBlock = (1 << 20) - 1;  // this one and all behind it
  static constexpr std::uint32_t kLaunches = 63;                 // 1 to 62; 0: before all launches
  static constexpr Cell kAllBytes = Cell{15} << kBytesShift;

  static constexpr std::uint32_t launch(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kLaunchShift);
  }
  static constexpr std::uint64_t block(Cell cell) { return cell >> kBlockShift & kUnknownBlock; }
  static constexpr std::uint64_t clock(Cell cell) { return cell >> kClockShift & kLastClock; }
  static constexpr std::uint32_t thread(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kThreadShift) & kThreadField;
  }
  static constexpr std::uint32_t site(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kSiteShift) & (kSites - 1);
  }
  static constexpr std::uint32_t bytes(Cell cell) {
    return static_cast<std::uint32_t>(cell >> kBytesShift) & 15;
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

constexpr Readers readers(Cell cell) {
  return static_cast<Readers>((cell & kSeveral) >> kSeveralShift);
}
constexpr Cell with_readers(Cell cell, Readers how_many) {
  return (cell & ~kSeveral) | static_cast<Cell>(how_many) << kSeveralShift;
}

}  // namespace warpmark::simulator
