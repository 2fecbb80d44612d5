// Accesses to words side by side, judged all at once: rows of global memory here, those of shared memory by
// accesses.cpp.
#include <algorithm>
#include <bit>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/watch/shadow_views.h"

namespace warpmark::simulator {

// Whether a row of writers or readers cannot conflict with an access by `mine`'s threads.
bool BlockShadow::row_is_free(const ShadowPlane& plane, std::size_t row, Cell mine) const {
  const Cell cell = plane.row(row);
  if (cell == ShadowPlane::kSpread) {
    const Cell* words = plane.words(row);
    bool recent = false;
    for (std::size_t k = 0; k < kShadowRowWords; ++k)
      recent |= GlobalCell::launch(words[k]) == launch_.launch;
    return !recent;
  }
  if (GlobalCell::launch(cell) != launch_.launch) return true;
  if (GlobalCell::block(cell) != index_) return false;
  if (begin_ + GlobalCell::clock(cell) < barrier_) return true;
  // The same threads, a word each.
  constexpr Cell kThreads = Cell{kThreadField} << GlobalCell::kThreadShift | GlobalCell::kAllBytes;
  const bool several = &plane == &launch_.global.readers && readers(cell) != Readers::one;
  return ((cell ^ mine) & kThreads) == 0 && !several;
}

bool BlockShadow::row_is_written(std::size_t row) const {
  const Cell cell = launch_.global.writers.row(row);
  if (cell != ShadowPlane::kSpread) return GlobalShadow::undefined_bytes(cell) == 0;
  const Cell* words = launch_.global.writers.words(row);
  return std::all_of(words, words + kShadowRowWords,
                     [](Cell word) { return GlobalShadow::undefined_bytes(word) == 0; });
}

// Whole rows, a word or two or four each lane. False when it has to be looked at lane by lane.
bool BlockShadow::touch_global_rows(const Context& context, const Touch& touch) {
  const Address offset = touch.addresses[0] - launch_.begin;
  if (!touch.contiguous || touch.mask != kAllLanes || touch.width < 4 || touch.access == Access::atomic ||
      touch.instruction.strong || touch.instruction.guess || offset >= kDeviceMemoryBytes ||
      offset % kShadowRowBytes != 0) {
    return false;
  }
  const std::size_t warp = context.warp->number();
  const GlobalCells cells(*this, warp, touch);
  const unsigned rows = touch.width / 4;
  const auto step = static_cast<unsigned>(std::countr_zero(rows));
  const std::size_t first = offset / kShadowRowBytes;
  const auto mine_of = [&](unsigned row) {
    const auto thread = static_cast<std::uint32_t>(warp * kLanes + std::size_t{row} * (kLanes >> step));
    return (cells.mine(thread, 0) & ~GlobalCell::kAllBytes) | std::uint64_t{step} << GlobalCell::kBytesShift;
  };
  ShadowPlane& writers = launch_.global.writers;
  ShadowPlane& readers = launch_.global.readers;
  const bool read = touch.access == Access::read;
  for (unsigned row = 0; row < rows; ++row) {
    if (!row_is_free(writers, first + row, mine_of(row)) || (read && !row_is_written(first + row)))
      return false;
    // Another reader does not disturb a reader, but has to be remembered.
    const bool alone = row_is_free(readers, first + row, mine_of(row));
    if (!alone && (!read || readers.row(first + row) == ShadowPlane::kSpread)) return false;
  }
  for (unsigned row = 0; row < rows; ++row) {
    const Cell mine = mine_of(row);
    if (!read) {
      writers.set_row(first + row, mine | kWritten);
    } else if (row_is_free(readers, first + row, mine)) {
      readers.set_row(first + row, mine);
    } else {
      readers.set_row(first + row, with_readers(mine, beside(warp, readers.row(first + row))));
    }
  }
  return true;
}

// The readers of a row once the warp joins those that its cell names.
Readers BlockShadow::beside(std::size_t warp, Cell row) const {
  const Readers before = readers(row);
  if (GlobalCell::block(row) != index_ || before == Readers::of_several_blocks)
    return Readers::of_several_blocks;
  const bool same_warp = GlobalCell::thread(row) / kLanes == warp && before != Readers::of_a_block;
  return same_warp ? Readers::of_a_warp : Readers::of_a_block;
}

SharedRow BlockShadow::row_of(std::size_t warp, const Touch& touch) {
  const auto first = static_cast<unsigned>(std::countr_zero(touch.mask));
  const std::size_t at = kSharedMargin + touch.addresses[first] / 4 - first;
  const SharedCells cells(*this, warp, touch);
  Cell mine = cells.mine(static_cast<std::uint32_t>(warp * kLanes), 0);
  if (touch.access == Access::write) mine |= kWritten;
  return {.writers = shared_writers_.data() + at,
          .readers = shared_readers_.data() + at,
          .begin = begin_ << SharedCell::kClockShift,
          .barrier = barrier_ << SharedCell::kClockShift,
          .synced = std::max(barrier_, clocks_[warp].least_synced) << SharedCell::kClockShift,
          .mine = mine};
}

}  // namespace warpmark::simulator
