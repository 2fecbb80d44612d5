// The cells of shared and of global memory under one set of names, for the rules of shadow.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

// Cells before the first and behind the last word, so that rows whose first or last lanes are idle can be
// read.
inline constexpr std::size_t kSharedMargin = kLanes;

// 0, for a line that is not known, when there are more lines than the cell can tell apart.
inline std::uint64_t site_in(std::uint32_t sites, const Touch& touch) {
  return touch.instruction.site < sites ? touch.instruction.site : 0;
}

// Shared memory of the block, a cell a word or a byte.
class BlockShadow::SharedCells {
 public:
  SharedCells(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : shadow_(shadow),
        shift_(shadow.launch_.bytewise ? 0 : 2),
        count_(std::max(1U, touch.width >> shift_)),
        mine_(shadow.now(warp) << SharedCell::kClockShift | site_in(SharedCell::kSites, touch)
                                                                << SharedCell::kSiteShift) {}

  [[nodiscard]] bool known(Address) const { return true; }
  [[nodiscard]] std::size_t first(Address address) const { return kSharedMargin + (address >> shift_); }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Cell writer(std::size_t at) const { return shadow_.shared_writers_[at]; }
  [[nodiscard]] Cell reader(std::size_t at) const { return shadow_.shared_readers_[at]; }
  void set_writer(std::size_t at, Cell cell) { shadow_.shared_writers_[at] = cell; }
  void set_reader(std::size_t at, Cell cell) { shadow_.shared_readers_[at] = cell; }
  [[nodiscard]] bool uninitialised(Cell writer, Address) const {
    return writer < shadow_.begin_ << SharedCell::kClockShift;
  }
  [[nodiscard]] bool nobodys(Cell writer) const { return writer == SharedCell::kNobodys; }
  [[nodiscard]] bool recent(Cell cell) const { return cell >= shadow_.barrier_ << SharedCell::kClockShift; }
  [[nodiscard]] bool same_bytes(Cell, Address) const { return true; }
  [[nodiscard]] Cell mine(std::uint32_t thread, Address) const {
    return mine_ | std::uint64_t{thread} << SharedCell::kThreadShift;
  }
  [[nodiscard]] Toucher decode(Cell cell) const {
    return {
        .clock = SharedCell::clock(cell), .thread = SharedCell::thread(cell), .site = SharedCell::site(cell)};
  }
  [[nodiscard]] Cell younger(Cell mine, Cell old) const {
    constexpr Cell kRest = (Cell{1} << SharedCell::kClockShift) - 1;
    return std::max(mine & ~kRest, old & ~kRest) | (mine & kRest);
  }

 private:
  BlockShadow& shadow_;
  unsigned shift_;
  std::size_t count_;
  Cell mine_;
};

class BlockShadow::GlobalCells {
 public:
  GlobalCells(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : shadow_(shadow),
        writers_(shadow.launch_.global.writers),
        readers_(shadow.launch_.global.readers),
        width_(touch.width) {
    mine_ = std::uint64_t{shadow.launch_.launch} << GlobalCell::kLaunchShift |
            shadow.index_ << GlobalCell::kBlockShift |
            std::min(shadow.since_begin(shadow.now(warp)), GlobalCell::kLastClock)
                << GlobalCell::kClockShift |
            site_in(GlobalCell::kSites, touch) << GlobalCell::kSiteShift;
  }

  [[nodiscard]] bool known(Address address) const {
    return address - shadow_.launch_.begin < kDeviceMemoryBytes;
  }
  [[nodiscard]] std::size_t first(Address address) const { return (address - shadow_.launch_.begin) / 4; }
  [[nodiscard]] std::size_t count() const { return std::max(1U, width_ / 4); }
  [[nodiscard]] Cell writer(std::size_t at) const { return writers_.word(at); }
  [[nodiscard]] Cell reader(std::size_t at) const { return readers_.word(at); }
  void set_writer(std::size_t at, Cell cell) { writers_.set_word(at, cell); }
  void set_reader(std::size_t at, Cell cell) { readers_.set_word(at, cell); }
  [[nodiscard]] bool uninitialised(Cell writer, Address address) const {
    return (GlobalShadow::undefined_bytes(writer) & bytes(address)) != 0;
  }
  [[nodiscard]] bool nobodys(Cell) const { return false; }
  [[nodiscard]] bool recent(Cell cell) const { return GlobalCell::launch(cell) == shadow_.launch_.launch; }
  [[nodiscard]] bool same_bytes(Cell cell, Address address) const {
    return (GlobalCell::bytes(cell) & bytes(address)) != 0;
  }
  [[nodiscard]] Cell mine(std::uint32_t thread, Address address) const {
    return mine_ | std::uint64_t{thread} << GlobalCell::kThreadShift |
           std::uint64_t{bytes(address)} << GlobalCell::kBytesShift;
  }
  // Clocks that ran out count as over, and so do blocks without a number of their own.
  [[nodiscard]] Toucher decode(Cell cell) const {
    const std::uint64_t clock = GlobalCell::clock(cell);
    const bool unknown = GlobalCell::block(cell) == GlobalCell::kUnknownBlock;
    const bool own = unknown || GlobalCell::block(cell) == shadow_.index_;
    Toucher toucher{.own_block = own,
                    .block = GlobalCell::block(cell),
                    .clock = clock,
                    .thread = GlobalCell::thread(cell),
                    .site = GlobalCell::site(cell)};
    if (own) toucher.clock = unknown || clock == GlobalCell::kLastClock ? 0 : shadow_.begin_ + clock;
    return toucher;
  }
  [[nodiscard]] Cell younger(Cell mine, Cell old) const {
    constexpr Cell kClock = GlobalCell::kLastClock << GlobalCell::kClockShift;
    return GlobalCell::block(old) != GlobalCell::block(mine)
               ? mine
               : (mine & ~kClock) | std::max(mine & kClock, old & kClock);
  }

 private:
  [[nodiscard]] std::uint32_t bytes(Address address) const {
    return width_ >= 4 ? 15 : ((1U << width_) - 1) << (address % 4);
  }
  BlockShadow& shadow_;
  ShadowPlane& writers_;
  ShadowPlane& readers_;
  unsigned width_;
  Cell mine_ = 0;
};

}  // namespace warpmark::simulator
