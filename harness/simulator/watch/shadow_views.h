// Common interface to the shadow cells of shared and of global memory, used by the race rules in shadow.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

// Number of padding cells before the first and after the last word of shared memory, so that 32 cells can be
// loaded at once even if the first or last lanes are inactive and out of range.
inline constexpr std::size_t kSharedMargin = kLanes;

inline Toucher with_flags(Toucher toucher, Cell cell, bool wrote) {
  toucher.wrote = wrote;
  toucher.several = several(cell);
  toucher.strong = (cell & (kStrong | kAtomic)) != 0;
  toucher.after_store = wrote && is_after_store(cell);
  toucher.atomic = (cell & kAtomic) != 0;
  toucher.in_block = toucher.atomic && (cell & kInBlock) != 0;
  // In the shadow cell of a volatile store, the field for the number of threads has another meaning:
  // of_several_blocks marks a store after a grid-scope fence (BlockShadow::note_lane).
  const bool for_all_blocks = toucher.several == Several::of_several_blocks;
  const bool volatile_store = wrote && toucher.strong && !toucher.atomic;
  toucher.behind_fence =
      volatile_store && (cell & kBehindFence) != 0 && (toucher.own_block || for_all_blocks);
  if (volatile_store) toucher.several = Several::one;
  toucher.several_sites = !wrote && !toucher.atomic && (cell & kSeveralSites) != 0;
  return toucher;
}

// Returns the number of the access's source line as a shadow cell stores it: 0, meaning unknown, if the
// number is too large for the cell's field.
inline std::uint64_t site_in(std::uint32_t sites, const Touch& touch) {
  return touch.instruction.site < sites ? touch.instruction.site : 0;
}

inline Cell strength_flags(const Instruction& instruction) {
  switch (instruction.strength) {
    case Strength::weak:
      return 0;
    case Strength::is_volatile:
      return kStrong;
    case Strength::atomic:
      return kStrong | kAtomic;
    case Strength::atomic_in_block:
      return kStrong | kAtomic | kInBlock;
  }
  return 0;
}

// Shadow cells of the block's shared memory: one per 4-byte word, or one per byte if launch.bytewise.
class BlockShadow::SharedCells {
 public:
  SharedCells(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : shadow_(shadow),
        touch_(touch),
        warp_(warp),
        shift_(shadow.launch_.bytewise ? 0 : 2),
        count_(std::max(1U, touch.width >> shift_)),
        mine_(shadow.now(warp) << SharedCell::kClockShift |
              site_in(SharedCell::kSites, touch) << SharedCell::kSiteShift |
              strength_flags(touch.instruction)) {}

  static constexpr bool kMeetsOtherBlocks = false;
  static constexpr bool kShared = true;
  [[nodiscard]] bool known(unsigned) const { return true; }
  [[nodiscard]] std::size_t first(unsigned lane) const {
    return kSharedMargin + (touch_.addresses[lane] >> shift_);
  }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Cell writer(std::size_t at) const { return shadow_.shared_writers_[at]; }
  // Returns the shadow cell of the last reader of a shared-memory word. If one reader per warp is kept, it is
  // the current warp's.
  [[nodiscard]] Cell reader(std::size_t at) const {
    if (!shadow_.part_barriers_) return shadow_.shared_readers_[at];
    for (const Cell cell : shadow_.shared_readers_by_warp_[at]) {
      if (is_own(cell)) return cell;
    }
    return 0;
  }
  template <class Visit>
  void each_writer(std::size_t, Cell writer, Visit fn) const {
    fn(writer);
  }
  template <class Visit>
  void each_reader(std::size_t at, Cell reader, Visit fn) const {
    if (!shadow_.part_barriers_) return fn(reader);
    for (const Cell cell : shadow_.shared_readers_by_warp_[at]) fn(cell);
  }
  // Stores the shadow cell of a shared-memory word's last writer. Returns the replaced cell, as the function
  // of the same name for global memory does to reveal a concurrent change by another host thread.
  Cell set_writer(std::size_t at, Cell cell) { return std::exchange(shadow_.shared_writers_[at], cell); }
  void set_reader(std::size_t at, Cell cell) {
    if (!shadow_.part_barriers_) {
      shadow_.shared_readers_[at] = cell;
      return;
    }
    std::vector<Cell>& readers = shadow_.shared_readers_by_warp_[at];
    std::erase_if(readers, [&](Cell old) { return !recent(old) || is_own(old); });
    readers.push_back(cell);
  }
  [[nodiscard]] PlainStores& plain_stores() const { return shadow_.shared_plain_stores_; }
  [[nodiscard]] std::size_t word(std::size_t at) const { return at; }
  [[nodiscard]] bool nobodys(Cell writer) const { return writer == SharedCell::kNobodys; }
  [[nodiscard]] bool recent(Cell cell) const { return cell >= shadow_.barrier_ << SharedCell::kClockShift; }
  [[nodiscard]] Cell mine(std::uint32_t thread) const {
    return mine_ | std::uint64_t{thread} << SharedCell::kThreadShift;
  }
  [[nodiscard]] Toucher decode(Cell cell) const {
    return {
        .clock = SharedCell::clock(cell), .thread = SharedCell::thread(cell), .site = SharedCell::site(cell)};
  }
  // True if a shadow cell that combines the reader in `mine` with those in `old` represents readers at more
  // than one source line.
  [[nodiscard]] static bool several_sites(Cell old, Cell mine) {
    const bool known = (old & kAtomic) == 0 && (old & kSeveralSites) != 0;
    return known || SharedCell::site(old) != SharedCell::site(mine);
  }
  [[nodiscard]] Cell younger(Cell mine, Cell old) const {
    constexpr Cell kRest = (Cell{1} << SharedCell::kClockShift) - 1;
    return std::max(mine & ~kRest, old & ~kRest) | (mine & kRest);
  }

 private:
  [[nodiscard]] bool is_own(Cell cell) const { return SharedCell::thread(cell) / kLanes == warp_; }

  BlockShadow& shadow_;
  const Touch& touch_;
  std::size_t warp_;
  unsigned shift_;
  std::size_t count_;
  Cell mine_;
};

// Shadow cells of global memory: one per 4-byte word, or one per byte once a word has been accessed bytewise.
class BlockShadow::GlobalCells {
 public:
  GlobalCells(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : shadow_(shadow),
        touch_(touch),
        writers_(shadow.launch_.global.writers),
        readers_(shadow.launch_.global.readers),
        narrow_(touch.width < 4) {
    const std::uint64_t clock = shadow.since_begin(shadow.now(warp));
    mine_ = std::uint64_t{shadow.launch_.launch} << GlobalCell::kLaunchShift |
            shadow.number_at(clock) << GlobalCell::kBlockShift |
            (clock % GlobalCell::kClocks) << GlobalCell::kClockShift |
            site_in(GlobalCell::kSites, touch) << GlobalCell::kSiteShift | strength_flags(touch.instruction);
  }

  static constexpr bool kMeetsOtherBlocks = true;
  static constexpr bool kShared = false;
  [[nodiscard]] bool known(unsigned lane) const { return touch_.place(lane) != kNoPlace; }
  [[nodiscard]] std::size_t first(unsigned lane) const { return touch_.place(lane) / (narrow_ ? 1 : 4); }
  [[nodiscard]] std::size_t count() const { return narrow_ ? touch_.width : touch_.width / 4; }
  [[nodiscard]] Cell writer(std::size_t at) const { return cell_of(writers_, at); }
  [[nodiscard]] Cell reader(std::size_t at) const { return cell_of(readers_, at); }
  // Calls fn with the shadow cell of the last store to a word of global memory, or four times if each byte of
  // the word has a cell of its own.
  template <class Visit>
  void each_writer(std::size_t at, Cell writer, Visit fn) const {
    each(writers_, at, writer, fn);
  }
  template <class Visit>
  void each_reader(std::size_t at, Cell reader, Visit fn) const {
    each(readers_, at, reader, fn);
  }
  Cell set_writer(std::size_t at, Cell cell) { return set(writers_, at, cell); }
  void set_reader(std::size_t at, Cell cell) { set(readers_, at, cell); }
  [[nodiscard]] PlainStores& plain_stores() const { return shadow_.launch_.plain_stores; }
  [[nodiscard]] std::size_t word(std::size_t at) const { return narrow_ ? at / 4 : at; }
  [[nodiscard]] bool nobodys(Cell) const { return false; }
  [[nodiscard]] bool recent(Cell cell) const { return GlobalCell::launch(cell) == shadow_.launch_.launch; }
  [[nodiscard]] Cell mine(std::uint32_t thread) const {
    return mine_ | std::uint64_t{thread} << GlobalCell::kThreadShift;
  }
  // Decodes a shadow cell. An access with kUnknownBlock (the launch ran out of block numbers) gets clock 0
  // and thus never races.
  [[nodiscard]] Toucher decode(Cell cell) const {
    const BlockNumbers::Clocks clocks = shadow_.launch_.numbers.of(GlobalCell::block(cell));
    const bool unknown = clocks.block == GlobalCell::kUnknownBlock;
    const std::uint64_t clock = clocks.first + GlobalCell::clock(cell);
    Toucher toucher{.own_block = unknown || clocks.block == shadow_.index_,
                    .block = clocks.block,
                    .clock = clock,
                    .thread = GlobalCell::thread(cell),
                    .site = GlobalCell::site(cell)};
    if (toucher.own_block) toucher.clock = unknown ? 0 : shadow_.begin_ + clock;
    return toucher;
  }
  [[nodiscard]] static bool several_sites(Cell old, Cell mine) {
    const bool known = (old & kAtomic) == 0 && (old & kSeveralSites) != 0;
    return known || GlobalCell::site(old) != GlobalCell::site(mine);
  }
  [[nodiscard]] Cell younger(Cell mine, Cell old) const {
    constexpr Cell kClock = (GlobalCell::kClocks - 1) << GlobalCell::kClockShift;
    return GlobalCell::block(old) != GlobalCell::block(mine)
               ? mine
               : (mine & ~kClock) | std::max(mine & kClock, old & kClock);
  }

 protected:
  [[nodiscard]] Cell cell_of(const ShadowPlane& plane, std::size_t at) const {
    return narrow_ ? plane.byte(at) : plane.word(at);
  }
  template <class Visit>
  void each(const ShadowPlane& plane, std::size_t at, Cell cell, Visit fn) const {
    if (cell != ShadowPlane::kSpread) return fn(cell);
    for (std::size_t byte = 4 * at; byte < 4 * at + 4; ++byte) fn(plane.byte(byte));
  }
  Cell set(ShadowPlane& plane, std::size_t at, Cell cell) const {
    return narrow_ ? plane.set_byte(at, cell) : plane.set_word(at, cell);
  }

  BlockShadow& shadow_;
  const Touch& touch_;
  ShadowPlane& writers_;
  ShadowPlane& readers_;
  bool narrow_;
  Cell mine_ = 0;
};

}  // namespace warpmark::simulator
