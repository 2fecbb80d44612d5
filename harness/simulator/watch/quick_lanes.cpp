// Fast path of the race detector. Handles a warp's access if no lane's shadow cell holds an unordered
// conflicting access: the last access happened before the current one, came from the same thread, or is a
// compatible atomic. Otherwise changes nothing, and the slow path (shadow.cpp) handles the access. Both paths
// must produce the same shadow cells.
#include <algorithm>
#include <bit>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/ptx/atomic_detail.h"
#include "harness/simulator/watch/shadow_views.h"

namespace warpmark::simulator {

class BlockShadow::QuickShared : public SharedCells {
 public:
  using Layout = SharedCell;

  QuickShared(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : SharedCells(shadow, warp, touch), begin_(shadow.begin_ << SharedCell::kClockShift) {}

  [[nodiscard]] bool clear(Cell cell) const { return cell < SharedCell::kNobodys; }
  [[nodiscard]] static bool is_of_this_block(Cell) { return true; }
  [[nodiscard]] static std::uint64_t clock(Cell cell) { return SharedCell::clock(cell); }
  [[nodiscard]] bool defined(unsigned lane) const {
    for (std::size_t at = first(lane), end = at + count(); at < end; ++at) {
      if (writer(at) < begin_) return false;
    }
    return true;
  }
  void define(unsigned) const {}

 private:
  Cell begin_;
};

class BlockShadow::QuickGlobal : public GlobalCells {
 public:
  using Layout = GlobalCell;

  QuickGlobal(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : GlobalCells(shadow, warp, touch),
        block_(GlobalCell::block(GlobalCells::mine(0))),
        alone_(!shadow.block_.launch().several_threads) {
    const Dim3& grid = shadow.block_.launch().grid;
    blocks_ = std::min(std::uint64_t{grid.x} * grid.y * grid.z, GlobalCell::kUnknownBlock);
    const std::uint64_t now = shadow.since_begin(shadow.now(warp));
    window_ = shadow.begin_ + now - now % GlobalCell::kClocks;
  }

  // True if a shadow cell covers the whole word and tells reliably whether its access was by this block. (A
  // block that has used up its clock range has several numbers, and cells with its older numbers are not
  // recognised here.)
  [[nodiscard]] bool clear(Cell cell) const {
    if (cell == ShadowPlane::kSpread) return false;
    const std::uint64_t block = GlobalCell::block(cell);
    return !recent(cell) || block == block_ || (block < blocks_ && block != shadow_.index_);
  }
  [[nodiscard]] bool is_of_this_block(Cell cell) const { return GlobalCell::block(cell) == block_; }
  [[nodiscard]] std::uint64_t clock(Cell cell) const { return window_ + GlobalCell::clock(cell); }
  [[nodiscard]] bool defined(unsigned lane) const {
    return shadow_.launch_.global.defined.undefined(touch_.place(lane), touch_.width) == 0;
  }
  void define(unsigned lane) const {
    shadow_.launch_.global.defined.define(touch_.place(lane), touch_.width);
  }
  Cell set_writer(std::size_t at, Cell cell) {
    return alone_ ? set_alone(writers_, at, cell) : GlobalCells::set_writer(at, cell);
  }
  void set_reader(std::size_t at, Cell cell) {
    if (alone_)
      set_alone(readers_, at, cell);
    else
      GlobalCells::set_reader(at, cell);
  }
  // True if other host threads simulate blocks at the same time and may change the shadow cells.
  [[nodiscard]] bool meets_others() const { return !alone_; }

 private:
  Cell set_alone(ShadowPlane& plane, std::size_t at, Cell cell) const {
    return narrow_ ? plane.set_byte_alone(at, cell) : plane.set_word_alone(at, cell);
  }

  // Block number that this warp writes to shadow cells now: shadow_.index_ or, after an overflow of the
  // block's clock, a further number.
  std::uint64_t block_;
  std::uint64_t blocks_ = 0;
  std::uint64_t window_ = 0;  // logical clock that the value 0 in a shadow cell's clock field stands for
  bool alone_;
};

// Race rules for the access of one lane: the rules of conflict() in race_report.cpp and note_lane() in
// shadow.cpp, without release and acquire.
template <class Cells>
class BlockShadow::QuickLane {
 public:
  using Layout = typename Cells::Layout;

  QuickLane(BlockShadow& shadow, const Touch& touch, Cells& cells, std::size_t warp, unsigned lane)
      : shadow_(shadow),
        touch_(touch),
        cells_(cells),
        clock_(shadow.clocks_[warp]),
        thread_(static_cast<std::uint32_t>(warp * kLanes + lane)),
        mine_(cells.mine(thread_)) {}

  // True if the lane's access certainly does not race with the access that the shadow cell records.
  [[nodiscard]] bool passes(Cell cell) const {
    if (!cells_.clear(cell)) return false;
    if (!cells_.recent(cell)) return true;
    if (touch_.access != Access::atomic) return is_over(cell);
    // An atomic update after a plain store in the same word is left to the slow path of the race detector
    // (shadow.cpp), which keeps the plain store in PlainStores.
    if ((cell & kAtomic) == 0 || is_after_store(cell)) return false;
    return (cell & kInBlock) == 0 || is_over(cell);
  }
  [[nodiscard]] Cell writes(Cell old, bool several_lanes) const {
    if (touch_.access != Access::atomic) return mine_;
    const Several now = several_lanes ? Several::of_a_warp : Several::one;
    const bool joins = cells_.recent(old) && (old & kAtomic) != 0 && !is_over(old);
    return with_several(mine_, joins ? std::max(now, beside(old)) : now);
  }
  [[nodiscard]] Cell reads(Cell old, bool several_lanes) const {
    const Cell cell = several_lanes ? with_several(mine_, Several::of_a_warp) : mine_;
    if (!cells_.recent(old) || is_over(old)) return cell;
    const bool writes_next = several(old) != Several::one || shadow_.launch_.updates(touch_.instruction);
    const Cell kept = writes_next ? cells_.younger(old, mine_) : cells_.younger(mine_, old);
    const Cell joined =
        with_several(kept, std::max(beside(old), several(cell))) & ~(kStrong | kAtomic | kInBlock);
    return Cells::several_sites(old, mine_) ? joined | kSeveralSites : joined;
  }

 private:
  [[nodiscard]] bool of_other_blocks(Cell cell) const {
    return !cells_.is_of_this_block(cell) || several(cell) == Several::of_several_blocks;
  }
  // Returns the set of threads (several of a warp, of a block, of several blocks) that the shadow cell
  // represents once this lane is added to its threads.
  [[nodiscard]] Several beside(Cell cell) const {
    if (of_other_blocks(cell)) return Several::of_several_blocks;
    return of_the_warp(cell) ? Several::of_a_warp : Several::of_a_block;
  }
  [[nodiscard]] bool of_the_warp(Cell cell) const {
    return Layout::thread(cell) / kLanes == thread_ / kLanes && several(cell) <= Several::of_a_warp;
  }
  // True if the access that the shadow cell records happened before the lane's current access, or is the
  // lane's own. The cell must have been written in this launch.
  [[nodiscard]] bool is_over(Cell cell) const {
    if (of_other_blocks(cell)) return false;
    const std::uint64_t then = cells_.clock(cell);
    if (then < shadow_.barrier_) return true;
    if (!of_the_warp(cell)) return false;
    if (several(cell) != Several::one) return then < clock_.of_all();
    const std::uint32_t thread = Layout::thread(cell);
    return thread == thread_ || then < clock_.known(thread_ % kLanes, thread % kLanes);
  }

  const BlockShadow& shadow_;
  const Touch& touch_;
  const Cells& cells_;
  const WarpClock& clock_;
  std::uint32_t thread_;
  Cell mine_;
};

namespace {

// Calls fn(lane) for each lane in the mask until a call returns false. Returns true if all calls returned
// true.
template <class Visit>
bool all_lanes(std::uint32_t mask, Visit fn) {
  for (; mask != 0; mask &= mask - 1) {
    if (!fn(static_cast<unsigned>(std::countr_zero(mask)))) return false;
  }
  return true;
}

}  // namespace

// Fast path of the race detector for arbitrary addresses. Checks all lanes before it changes any shadow cell.
// Returns false, with nothing changed, if a lane needs the slow path (shadow.cpp).
template <class Cells>
bool BlockShadow::pass_lanes(const Context& context, const Touch& touch, Cells cells) {
  const std::size_t warp = context.warp->number();
  const std::uint32_t second = touch.mask & (touch.mask - 1);
  const bool together = touch.uniform && second != 0;
  const bool reads = touch.access == Access::read;
  const bool needs_value =
      reads || (touch.access == Access::atomic && (touch.instruction.detail & kExchanges) == 0);
  // If all lanes access one address, only two of them are checked for a race with the earlier access: the
  // earlier thread differs from at least one of the two. The slow path in shadow.cpp does the same.
  const bool two = together && clocks_[warp].alike(barrier_);
  const std::uint32_t lanes = two ? (touch.mask & -touch.mask) | (second & -second) : touch.mask;
  const bool passes = all_lanes(lanes, [&](unsigned number) {
    const QuickLane<Cells> lane(*this, touch, cells, warp, number);
    const std::size_t first = cells.first(number);
    for (std::size_t at = first; at < first + cells.count(); ++at) {
      if (!lane.passes(cells.writer(at))) return false;
      const Cell reader = cells.reader(at);
      if (reads ? !cells.clear(reader) : !lane.passes(reader)) return false;
    }
    return !needs_value || cells.defined(number);
  });
  if (!passes) return false;
  const std::uint32_t noted = together ? touch.mask & -touch.mask : touch.mask;
  all_lanes(noted, [&](unsigned number) {
    const QuickLane<Cells> lane(*this, touch, cells, warp, number);
    if (!reads) cells.define(number);
    const std::size_t first = cells.first(number);
    for (std::size_t at = first; at < first + cells.count(); ++at) {
      if (reads) {
        const Cell old = cells.reader(at);
        const Cell cell = lane.reads(old, together);
        if (cell != old) cells.set_reader(at, cell);
        continue;
      }
      const Cell left = cells.set_writer(at, lane.writes(cells.writer(at), together));
      if constexpr (Cells::kMeetsOtherBlocks) {
        if (cells.meets_others()) judge_other_block(context, touch, number, cells, left, true);
      }
    }
    return true;
  });
  if constexpr (Cells::kMeetsOtherBlocks) {
    if (cells.meets_others()) look_again(context, touch, noted, cells);
  }
  return true;
}

// Reports a race of the lane with the access in `cell`, a shadow cell that another host thread may have
// stored after this lane's first check. Does nothing for accesses of the own block.
void BlockShadow::judge_other_block(const Context& context, const Touch& touch, unsigned lane,
                                    const GlobalCells& cells, Cell cell, bool wrote) {
  if (cell == ShadowPlane::kSpread || !cells.recent(cell)) return;
  const Toucher toucher = with_flags(cells.decode(cell), cell, wrote);
  if (!toucher.own_block) judge(context, touch, lane, toucher);
}

void BlockShadow::look_again(const Context& context, const Touch& touch, std::uint32_t lanes,
                             const GlobalCells& cells) {
  all_lanes(lanes, [&](unsigned lane) {
    const std::size_t first = cells.first(lane);
    for (std::size_t at = first; at < first + cells.count(); ++at) {
      judge_other_block(context, touch, lane, cells, cells.writer(at), true);
      if (touch.access != Access::read)
        judge_other_block(context, touch, lane, cells, cells.reader(at), false);
    }
    return true;
  });
}

// True if shadow cells of this block's accesses may hold kUnknownBlock, the block number that all blocks
// share once no further numbers are left.
bool BlockShadow::has_unknown_number() const {
  return index_ >= GlobalCell::kUnknownBlock ||
         (!numbers_.empty() && numbers_.back() == GlobalCell::kUnknownBlock);
}

bool BlockShadow::has_words(const Touch& touch) const {
  if (touch.width != 4 || touch.instruction.guess || touch.instruction.strong() || launch_.fences ||
      part_barriers_ || (apart_ && touch.access == Access::read)) {
    return false;
  }
  if (touch.shared) return !launch_.bytewise && !may_change_same_store(touch);
  // A block whose logical clock has overflowed has several block numbers in the shadow cells, which this fast
  // path does not recognise as its own.
  return touch.slots == nullptr && touch.shadow != kNoShadow && numbers_.empty() &&
         index_ < GlobalCell::kUnknownBlock && since_begin(latest_) < GlobalCell::kClocks;
}

WordLanes BlockShadow::words_of(std::size_t warp, const Touch& touch) {
  const auto first_thread = static_cast<std::uint32_t>(warp * kLanes);
  const bool updates = touch.access == Access::read && launch_.updates(touch.instruction);
  constexpr Cell kThreads = kThreadField;
  constexpr Cell kWarps = kThreads & ~Cell{kLanes - 1};
  if (touch.shared) {
    constexpr unsigned kShift = SharedCell::kClockShift;
    const Cell begin = touch.access == Access::read ? begin_ << kShift : 0;
    return {.global = nullptr,
            .writers = shared_writers_.data(),
            .readers = shared_readers_.data(),
            .offset = kSharedMargin * 4,
            .alone = true,
            .updates = updates,
            .recent = barrier_ << kShift,
            .recent_span = SharedCell::kNobodys - (barrier_ << kShift),
            .valid = begin,
            .valid_span = SharedCell::kNobodys - begin,
            .parted = ~Cell{0},
            .barrier = 0,
            .own = kThreads << SharedCell::kThreadShift | kSeveral,
            .warp = kWarps << SharedCell::kThreadShift,
            .block = 0,
            .together = kWarps << SharedCell::kThreadShift | ~Cell{0} << kShift,
            .clock = ~Cell{0} << kShift,
            .site = Cell{SharedCell::kSites - 1} << SharedCell::kSiteShift,
            .mine = SharedCells(*this, warp, touch).mine(first_thread),
            .thread_shift = SharedCell::kThreadShift};
  }
  GlobalShadow& global = launch_.global;
  constexpr Cell kOneLaunch = Cell{1} << GlobalCell::kLaunchShift;
  constexpr Cell kBlock = GlobalCell::kUnknownBlock << GlobalCell::kBlockShift;
  return {.global = &global,
          .writers = global.writers.words(),
          .readers = global.readers.words(),
          .offset = static_cast<Address>(touch.shadow),
          .alone = !block_.launch().several_threads,
          .updates = updates,
          .recent = launch_.launch * kOneLaunch,
          .recent_span = kOneLaunch,
          .valid = 0,
          .valid_span = GlobalCell::kLaunches * kOneLaunch,
          .parted = GlobalCell::kLaunches * kOneLaunch,
          .barrier = since_begin(barrier_) << GlobalCell::kClockShift,
          .own = ~(kOneLaunch - 1) | kBlock | kThreads << GlobalCell::kThreadShift | kSeveral,
          .warp = kWarps << GlobalCell::kThreadShift,
          .block = kBlock,
          .together = ~(kOneLaunch - 1) | kBlock | kWarps << GlobalCell::kThreadShift |
                      (GlobalCell::kClocks - 1) << GlobalCell::kClockShift,
          .clock = (GlobalCell::kClocks - 1) << GlobalCell::kClockShift,
          .site = Cell{GlobalCell::kSites - 1} << GlobalCell::kSiteShift,
          .mine = GlobalCells(*this, warp, touch).mine(first_thread),
          .thread_shift = GlobalCell::kThreadShift};
}

bool BlockShadow::touch_quickly(const Context& context, const Touch& touch) {
  const bool weak = touch.instruction.strength == Strength::weak;
  const bool atomic = touch.access == Access::atomic && touch.instruction.strength == Strength::atomic;
  // The fast path of the race detector excludes volatile and block-scope atomic accesses and, in kernels with
  // fences, all loads and atomics: they need the release/acquire rules of shadow.cpp.
  if (!(weak || atomic) || touch.instruction.guess || part_barriers_ || may_change_same_store(touch) ||
      (apart_ && touch.access != Access::write) || (launch_.fences && touch.access != Access::write)) {
    return false;
  }
  const std::size_t warp = context.warp->number();
  if (touch.shared) return pass_lanes(context, touch, QuickShared(*this, warp, touch));
  if (touch.slots != nullptr || touch.shadow == kNoShadow || has_unknown_number()) return false;
  return pass_lanes(context, touch, QuickGlobal(*this, warp, touch));
}

}  // namespace warpmark::simulator
