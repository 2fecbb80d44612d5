// Vectorised fast path of the race detector for 4-byte accesses at arbitrary addresses. Only accesses.cpp
// includes this header; it is compiled once per instruction set (baseline, AVX2, AVX-512).
#pragma once

#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "harness/simulator/engine/operations/lanes.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

// Per lane: index of the accessed word, its writer and reader cells, and the cell (`left`) that replaces the
// reader or writer cell.
struct LaneCells {
  std::size_t words[kLanes];
  alignas(64) Cell writers[kLanes];
  alignas(64) Cell readers[kLanes];
  alignas(64) Cell left[kLanes];
};

// Loads the shadow cells of the lanes' words. Returns false if a row of global memory has no per-word reader
// cells, is not fully initialised (loads only), or was written as a whole in this launch; such rows need the
// slow path (shadow.cpp).
inline bool collect(const WordLanes& lanes, const Address* addresses, bool reads, LaneCells& cells) {
  if (lanes.global == nullptr) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::size_t word = (addresses[lane] + lanes.offset) / 4;
      cells.words[lane] = word;
      cells.writers[lane] = lanes.writers[word];
      cells.readers[lane] = lanes.readers[word];
    }
    return true;
  }
  std::size_t row = SIZE_MAX;
  Cell of_row = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const std::size_t word = (addresses[lane] + lanes.offset) / 4;
    if (word / kShadowRowWords != row) {
      row = word / kShadowRowWords;
      of_row = lanes.global->writers.row(row);
      if (of_row - lanes.recent < lanes.recent_span ||
          lanes.global->readers.row(row) != ShadowPlane::kSpread ||
          (reads && !lanes.global->defined.row_defined(row))) {
        return false;
      }
    }
    cells.words[lane] = word;
    cells.writers[lane] = of_row == ShadowPlane::kSpread
                              ? __atomic_load_n(lanes.writers + word, __ATOMIC_RELAXED)
                              : ShadowPlane::word_of(of_row, word % kShadowRowWords);
    cells.readers[lane] = __atomic_load_n(lanes.readers + word, __ATOMIC_RELAXED);
  }
  return true;
}

inline Cell all_or_none(bool condition) {
  return condition ? ~Cell{0} : Cell{0};
}

// Race check of one word per lane, vectorised: true if no active lane's access can race with an earlier one.
// Branch-free, so that the compiler vectorises it.
template <Access kAccess>
bool have_no_conflict(const WordLanes& lanes, std::uint32_t mask, const LaneCells& cells) {
  Cell bad = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Cell writer = cells.writers[lane];
    const Cell reader = cells.readers[lane];
    const Cell mine = lanes.mine + (Cell{lane} << lanes.thread_shift);
    const auto is_recent = [&](Cell cell) { return all_or_none(cell - lanes.recent < lanes.recent_span); };
    const auto is_own = [&](Cell cell) { return all_or_none(((cell ^ mine) & lanes.own) == 0); };
    Cell found = all_or_none(writer - lanes.valid >= lanes.valid_span) | all_or_none(reader >= lanes.parted) |
                 (is_recent(writer) & ~is_own(writer));
    if constexpr (kAccess != Access::read) found |= is_recent(reader) & ~is_own(reader);
    bad |= found & all_or_none((mask & kLaneBits<std::uint64_t>.bit[lane]) != 0);
  }
  return bad == 0;
}

// Computes for each lane of a load the word's new reader cell (shadow cell of the last reader), as
// QuickLane::reads does but branch-free. Returns false if the slow path (shadow.cpp) is needed.
inline bool join_readers(const WordLanes& lanes, std::uint32_t mask, LaneCells& cells) {
  const Cell updates = all_or_none(lanes.updates);
  constexpr Cell kOfWarp = Cell{1} << kSeveralShift;
  constexpr Cell kOfBlock = Cell{2} << kSeveralShift;
  constexpr Cell kOfBlocks = Cell{3} << kSeveralShift;
  Cell bad = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Cell old = cells.readers[lane];
    const Cell mine = lanes.mine + (Cell{lane} << lanes.thread_shift);
    const Cell several = old & kSeveral;
    const Cell same_block = all_or_none(((old ^ mine) & lanes.block) == 0);
    const Cell of_blocks = all_or_none(several == kOfBlocks) | ~same_block;
    const Cell same_warp = all_or_none(((old ^ mine) & lanes.warp) == 0) & all_or_none(several <= kOfWarp);
    const Cell fresh = all_or_none(old - lanes.recent >= lanes.recent_span) |
                       all_or_none(((old ^ mine) & lanes.own) == 0) |
                       (~of_blocks & all_or_none((old & lanes.clock) < lanes.barrier));
    const Cell same_clock = all_or_none(((old ^ mine) & lanes.clock) == 0);
    bad |= ~fresh & ~of_blocks & same_warp & ~same_clock &
           all_or_none((mask & kLaneBits<std::uint64_t>.bit[lane]) != 0);
    const Cell all =
        (of_blocks & kOfBlocks) | (~of_blocks & same_warp & kOfWarp) | (~of_blocks & ~same_warp & kOfBlock);
    // A shadow cell that represents several readers keeps naming the older one, as on the slow path
    // (shadow.cpp).
    const Cell keeps = all_or_none(several != 0) | updates;
    const Cell base = (keeps & old) | (~keeps & mine);
    const Cell youngest = (old & lanes.clock) > (mine & lanes.clock) ? old : mine;
    const Cell clock = ((same_block & youngest) | (~same_block & base)) & lanes.clock;
    const Cell sites =
        (old & ~all_or_none((old & kAtomic) != 0)) | all_or_none(((old ^ mine) & lanes.site) != 0);
    const Cell joined = (base & ~(lanes.clock | kSeveral | kStrong | kAtomic | kSeveralSites)) | clock | all |
                        (sites & kSeveralSites);
    cells.left[lane] = (fresh & mine) | (~fresh & joined);
  }
  return bad == 0;
}

// Stores the words' new reader cells (shadow cells of the last reader). Returns a mask of the lanes whose
// reader cell another host thread has changed since it was loaded; these need the slow path (shadow.cpp).
inline std::uint32_t leave_readers(const WordLanes& lanes, std::uint32_t mask, const LaneCells& cells) {
  std::uint32_t again = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Cell mine = lanes.mine + (Cell{lane} << lanes.thread_shift);
    Cell& cell = lanes.readers[cells.words[lane]];
    const Cell now = __atomic_load_n(&cell, __ATOMIC_RELAXED);
    if (now == cells.left[lane]) continue;
    if (now == cells.readers[lane]) {
      __atomic_store_n(&cell, cells.left[lane], __ATOMIC_RELAXED);
    } else if (((now ^ mine) & lanes.together) != 0) {
      again |= rest & -rest;
      // Another lane of the same load has already recorded itself in the shadow cell of this word.
    } else if (several(now) == Several::one) {
      __atomic_store_n(&cell, with_several(lanes.updates ? now : mine, Several::of_a_warp), __ATOMIC_RELAXED);
    }
  }
  return again;
}

// Checks a plain 4-byte load of a warp for races and records it in the shadow cells. Returns a mask of the
// lanes that still need the slow path (shadow.cpp).
inline std::uint32_t pass_loads(const WordLanes& lanes, const Touch& touch) {
  LaneCells cells;
  if (!collect(lanes, touch.addresses, true, cells) ||
      !have_no_conflict<Access::read>(lanes, touch.mask, cells) || !join_readers(lanes, touch.mask, cells)) {
    return touch.mask;
  }
  Cell news = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    news |= (cells.left[lane] ^ cells.readers[lane]) &
            all_or_none((touch.mask & kLaneBits<std::uint64_t>.bit[lane]) != 0);
  }
  if (news == 0) return 0;
  // all lanes access one address, so the slow path (shadow.cpp) records them in one cell
  if (touch.uniform) return touch.mask;
  const std::uint32_t again = leave_readers(lanes, touch.mask, cells);
  if (lanes.alone) return again;
  // Full fence between updating the reader cells and checking the writer cells again. A concurrent store by
  // another host thread does the reverse, so that at least one of the two sees the other's shadow cells and
  // reports the race.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  LaneCells after;
  const bool same = collect(lanes, touch.addresses, true, after) &&
                    std::memcmp(after.writers, cells.writers, sizeof cells.writers) == 0;
  return same ? again : touch.mask;
}

// Checks a plain 4-byte store of a warp for races and records it in the shadow cells. Returns 0, or all lanes
// of the mask if the slow path (shadow.cpp) is needed, e.g. because two lanes store to the same word.
inline std::uint32_t pass_stores(const WordLanes& lanes, const Touch& touch) {
  LaneCells cells;
  if (!lanes.alone || !collect(lanes, touch.addresses, false, cells) ||
      !have_no_conflict<Access::write>(lanes, touch.mask, cells)) {
    return touch.mask;
  }
  std::uint32_t done = 0;
  const auto set = [&](std::size_t word, Cell cell) {
    if (lanes.global == nullptr) return std::exchange(lanes.writers[word], cell);
    lanes.global->defined.define(word * 4, 4);
    return lanes.global->writers.set_word_alone(word, cell);
  };
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Cell mine = lanes.mine + (Cell{lane} << lanes.thread_shift);
    const Cell before = set(cells.words[lane], mine);
    if (before == cells.writers[lane]) {
      done |= rest & -rest;
      continue;
    }
    set(cells.words[lane], before);
    for (; done != 0; done &= done - 1) {
      const auto earlier = static_cast<unsigned>(std::countr_zero(done));
      set(cells.words[earlier], cells.writers[earlier]);
    }
    return touch.mask;
  }
  return 0;
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
