// Fast path of the race detector for global memory: a full warp accesses whole rows (32 consecutive words).
// accesses.cpp has its counterpart for shared memory.
#include <algorithm>
#include <bit>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/watch/shadow_views.h"

namespace warpmark::simulator {

// True if an access by the threads in the shadow cell `mine` cannot race with the access in `cell`, the
// reader or writer cell of a row (32 consecutive words) of global memory.
bool BlockShadow::is_free(const ShadowPlane& plane, std::size_t row, Cell cell, Cell mine) const {
  if (cell == ShadowPlane::kSpread) {
    const Cell* words = plane.words(row);
    bool recent = false;
    for (std::size_t k = 0; k < kShadowRowWords; ++k)
      recent |= GlobalCell::launch(words[k]) == launch_.launch || words[k] >= ShadowPlane::kBusy;
    return !recent;
  }
  if (GlobalCell::launch(cell) != launch_.launch) return true;
  if (GlobalCell::block(cell) != GlobalCell::block(mine)) {
    const BlockNumbers::Clocks clocks = launch_.numbers.of(GlobalCell::block(cell));
    return clocks.block == index_ && begin_ + clocks.first + GlobalCell::clock(cell) < barrier_;
  }
  // The shadow cell of a row (32 words) records an access by the same threads, each to the same word as now,
  // so the two accesses cannot race.
  constexpr Cell kThreads = Cell{kThreadField} << GlobalCell::kThreadShift | GlobalCell::kSteps;
  if (((cell ^ mine) & kThreads) == 0 && several(cell) == Several::one) return true;
  return begin_ + launch_.numbers.of(GlobalCell::block(cell)).first + GlobalCell::clock(cell) < barrier_;
}

// Records an access to a whole row (32 consecutive words) in the row's shadow cell and returns true, if no
// race is possible. Otherwise returns false; the access needs the slow path (shadow.cpp).
bool BlockShadow::leave_row(const Touch& touch, std::size_t row, Cell mine, std::size_t warp) {
  ShadowPlane& writers = launch_.global.writers;
  ShadowPlane& readers = launch_.global.readers;
  const Cell writer = writers.row(row);
  const Cell reader = readers.row(row);
  const bool alone = is_free(readers, row, reader, mine);
  if (!is_free(writers, row, writer, mine)) return false;
  if (touch.access == Access::read) {
    if (!launch_.global.defined.row_defined(row)) return false;
    // Loads do not race with loads, but every reader must be recorded. Separate cells per word need the slow
    // path (shadow.cpp) for that.
    if (!alone && reader == ShadowPlane::kSpread) return false;
    Cell cell = mine;
    if (!alone) {
      const Several all = beside(warp, reader);
      if (all == Several::of_a_warp && keeps_lanes()) return false;
      cell = with_several(mine, all);
      if (GlobalCells::several_sites(reader, mine)) cell |= kSeveralSites;
    }
    if (cell != reader && !readers.replace_row(row, reader, cell)) return false;
    return writers.row(row) == writer;
  }
  if (!alone || (mine != writer && !writers.replace_row(row, writer, mine))) return false;
  launch_.global.defined.define_row(row);
  return readers.row(row) == reader;
}

// Handles an access of a full warp to whole rows (32 consecutive words each), with one, two or four words per
// lane. Returns false if the slow path (shadow.cpp) is needed.
bool BlockShadow::touch_global_rows(const Context& context, const Touch& touch) {
  if (!touch.contiguous || touch.mask != kAllLanes || touch.width < 4 || touch.access == Access::atomic ||
      touch.instruction.strong() || touch.instruction.guess) {
    return false;
  }
  const std::size_t place = touch.place(0);
  if (place == kNoPlace || place % kShadowRowBytes != 0 || touch.slots != nullptr) return false;
  const std::size_t warp = context.warp->number();
  const GlobalCells cells(*this, warp, touch);
  const unsigned rows = touch.width / 4;
  const auto step = static_cast<unsigned>(std::countr_zero(rows));
  for (unsigned row = 0; row < rows; ++row) {
    const auto thread = static_cast<std::uint32_t>(warp * kLanes + std::size_t{row} * (kLanes >> step));
    const Cell mine = cells.mine(thread) | std::uint64_t{step} << GlobalCell::kStepShift;
    // On failure, the slow path (shadow.cpp) checks the rows recorded so far once more. A thread's own access
    // is never a conflict, so this is harmless.
    if (!leave_row(touch, place / kShadowRowBytes + row, mine, warp)) return false;
  }
  return true;
}

// Returns the set of readers (one thread, or several of a warp, a block or several blocks) that the shadow
// cell of a row represents after this warp has read the row, too.
Several BlockShadow::beside(std::size_t warp, Cell row) const {
  const Several before = several(row);
  if (launch_.numbers.of(GlobalCell::block(row)).block != index_ || before == Several::of_several_blocks)
    return Several::of_several_blocks;
  const bool same_warp = GlobalCell::thread(row) / kLanes == warp && before != Several::of_a_block;
  return same_warp ? Several::of_a_warp : Several::of_a_block;
}

SharedRow BlockShadow::row_of(std::size_t warp, const Touch& touch) {
  const auto first = static_cast<unsigned>(std::countr_zero(touch.mask));
  const std::size_t at = kSharedMargin + touch.addresses[first] / 4 - first;
  const SharedCells cells(*this, warp, touch);
  const Cell mine = cells.mine(static_cast<std::uint32_t>(warp * kLanes));
  return {.writers = shared_writers_.data() + at,
          .readers = shared_readers_.data() + at,
          .begin = begin_ << SharedCell::kClockShift,
          .barrier = barrier_ << SharedCell::kClockShift,
          .synced = std::max(barrier_, clocks_[warp].of_all()) << SharedCell::kClockShift,
          .mine = mine};
}

}  // namespace warpmark::simulator
