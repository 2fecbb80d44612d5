#include "harness/simulator/watch/shadow.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/engine/machine/memory_names.h"
#include "harness/simulator/engine/machine/warp_access.h"
#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/engine/memory/unset.h"
#include "harness/simulator/ptx/atomic_detail.h"
#include "harness/simulator/watch/shadow_views.h"

namespace warpmark::simulator {
BlockShadow::BlockShadow(Block& block, LaunchShadow& launch)
    : block_(block), launch_(launch), apart_(launch.meets_apart) {
  const Dim3& threads = block.launch().block;
  const std::size_t warps = (std::size_t{threads.x} * threads.y * threads.z + kLanes - 1) / kLanes;
  clocks_.resize(warps);
  if (launch.fences) publications_.resize(warps);
  const std::size_t bytes = block.launch().shared_bytes;
  const std::size_t size = launch.bytewise ? 1 : 4;
  const std::size_t cells = (bytes + size - 1) / size;
  shared_readers_.resize(cells + 2 * kSharedMargin);
  shared_writers_.resize(cells + 2 * kSharedMargin);
  if (launch.part_barriers) {
    part_barriers_.emplace(warps);
    shared_readers_by_warp_.resize(shared_readers_.size());
  }
  std::vector<Cell>& writers = shared_writers_;
  std::fill_n(writers.begin() + kSharedMargin, cells, SharedCell::kNobodys);
  for (const SharedVariable& variable : block.launch().kernel.shared) {
    const bool dynamic = variable.bytes == 0;
    const std::size_t begin = dynamic ? block.launch().dynamic_shared_offset : variable.offset;
    const std::size_t end = dynamic ? bytes : std::min(bytes, begin + variable.bytes);
    for (std::size_t at = begin / size; at < (end + size - 1) / size; ++at) writers[kSharedMargin + at] = 0;
  }
}

// Marks bytes of shared memory as initialised: their shadow cells record a store by this block, older than
// all accesses to come.
void BlockShadow::set_from_outside(Address offset, unsigned bytes) {
  const unsigned shift = launch_.bytewise ? 0 : 2;
  const Cell set = begin_ << SharedCell::kClockShift;
  for (Address at = offset >> shift; at <= (offset + bytes - 1) >> shift; ++at) {
    Cell& writer = shared_writers_[kSharedMargin + at];
    if (writer < set) writer = set;
  }
}

void BlockShadow::start(std::uint64_t index) {
  if (index >= GlobalCell::kUnknownBlock) block_.launch().order_matters = true;
  index_ = std::min<std::uint64_t>(index, GlobalCell::kUnknownBlock);
  begin_ = barrier_ = ++latest_;
  barriers_ = 0;
  for (WarpPublication& warp : publications_) {
    warp.acquired.clear();
    warp.unfenced = {};
  }
  handed_on_ = {};
  acquired_.clear();
  undefined_reads_.clear();
  copies_.clear();
  lane_sets_.clear();
  same_stores_.clear();
  numbers_.clear();
  if (part_barriers_) part_barriers_->clear();
  fenced_ = acquiring_ = false;
}

// Returns the number that identifies the block in shadow cells of global memory at this clock (counted from
// the block's start), allocating a further number if the clock exceeds the cell's clock field.
std::uint64_t BlockShadow::number_at(std::uint64_t clock) {
  const std::uint64_t window = clock >> GlobalCell::kClockBits;
  if (window == 0) return std::min(index_, GlobalCell::kUnknownBlock);
  if (index_ >= GlobalCell::kUnknownBlock) return GlobalCell::kUnknownBlock;
  if (numbers_.size() < window) numbers_.resize(window);
  std::uint64_t& number = numbers_[window - 1];
  if (number == 0) number = launch_.numbers.take(index_, window << GlobalCell::kClockBits);
  if (number == GlobalCell::kUnknownBlock) block_.launch().order_matters = true;
  return number;
}

namespace {

// True if a memory access depends on the old value. atomicExch does not count: programs use it to initialise
// locks and flags.
bool reads(const Touch& touch) {
  return touch.access != Access::write &&
         !(touch.access == Access::atomic && (touch.instruction.detail & kExchanges) != 0);
}

}  // namespace

// Returns a mask of the uninitialised bytes that the lane is about to read, without padding. A kernel that
// has initialised part of a word may copy the whole word, and one may copy structures with accesses wider
// than their members. If structures are copied bytewise, the types of the kernel's pointer parameters show
// where padding is.
std::uint32_t BlockShadow::undefined_bytes(const Touch& touch, unsigned lane) const {
  const std::size_t place = touch.place(lane);
  const std::uint32_t undefined = launch_.global.defined.undefined(place, touch.width);
  if (undefined == 0 || (place >= kDeviceMemoryBytes && set_by_the_host(touch, lane))) return 0;
  const auto all = static_cast<std::uint32_t>((1ULL << touch.width) - 1);
  if (undefined == all) {
    const bool is_padding =
        touch.width < 4 && launch_.memory.is_known_padding(touch.addresses[lane], touch.width);
    return is_padding ? 0 : undefined;
  }
  if (touch.width > 4) return 0;
  const Cell writer =
      touch.width < 4 ? launch_.global.writers.byte(place) : launch_.global.writers.word(place / 4);
  const bool by_the_host =
      writer == GlobalShadow::kByTheHost || writer == 0 || writer == ShadowPlane::kSpread;
  if (!by_the_host) return 0;
  for (std::size_t byte = place; byte < place + touch.width; ++byte) {
    const Cell cell = launch_.global.writers.byte(byte);
    if (cell != 0 && cell != GlobalShadow::kByTheHost) return 0;
  }
  return undefined;
}

// True if the host has written this managed memory, which it does without a CUDA call: a byte that differs
// from the fill pattern of fresh memory counts as written, together with the bytes around it.
bool BlockShadow::set_by_the_host(const Touch& touch, unsigned lane) const {
  // Bytes that count as written together if any differs from the fill pattern: a single written byte may
  // equal the pattern by chance.
  constexpr std::size_t kAtOnce = 16;
  const AllocationView* below = allocation_below(block_.launch(), touch.addresses[lane]);
  if (below == nullptr) return true;
  const Allocation& managed = below->allocation;
  const std::size_t first = (touch.addresses[lane] - managed.begin) / kAtOnce * kAtOnce;
  const std::size_t bytes = std::min(kAtOnce, managed.bytes - first);
  if (still_unset(managed, first, bytes)) return false;
  launch_.global.defined.define_all(managed.place + first, bytes);
  return true;
}

// Decodes a shadow cell of this launch. Adds the per-lane clocks if the cell represents several lanes and
// they were recorded.
template <class Cells>
Toucher BlockShadow::toucher_of(const Cells& cells, std::size_t at, Cell cell, bool wrote) const {
  Toucher toucher = with_flags(cells.decode(cell), cell, wrote);
  if (toucher.own_block && toucher.several == Several::of_a_warp && keeps_lanes())
    toucher.lanes = lane_sets_.find({Cells::kShared, wrote, at, toucher.thread / kLanes});
  return toucher;
}

// Checks one lane's access for races and uninitialised reads, and copies the word's shadow cells, as they are
// now, to `before`. Changes no shadow cell.
template <class Cells>
void BlockShadow::check_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                             Before& before) {
  const std::size_t first = cells.first(lane);
  bool undefined = reads(touch);
  for (std::size_t n = 0; n < cells.count(); ++n) {
    const Cell writer = before.writers[n % 4] = cells.writer(first + n);
    if (cells.nobodys(writer)) return report_past_an_array(context, touch, lane);
    if (touch.shared) undefined = undefined && writer < begin_ << SharedCell::kClockShift;
    cells.each_writer(first + n, writer, [&](Cell cell) {
      if (!cells.recent(cell)) return;
      const Toucher last = toucher_of(cells, first + n, cell, true);
      judge(context, touch, lane, last);
      const Cell store = last.after_store && touch.access == Access::atomic
                             ? cells.plain_stores().at(cells.word(first + n))
                             : 0;
      if (cells.recent(store)) judge(context, touch, lane, with_flags(cells.decode(store), store, true));
    });
    if (touch.access == Access::read) continue;
    const Cell reader = before.readers[n % 4] = cells.reader(first + n);
    cells.each_reader(first + n, reader, [&](Cell cell) {
      if (cells.recent(cell)) judge(context, touch, lane, toucher_of(cells, first + n, cell, false));
    });
  }
  if (undefined && (touch.shared || undefined_bytes(touch, lane) != 0))
    report_uninitialised(context, touch, lane);
}

// Returns the writer's shadow cell after an atomic operation. Atomics do not conflict with each other, but a
// later plain access must be checked against all of them, so the cell represents all that are not yet
// ordered.
template <class Cells>
Cell BlockShadow::updates(Cells& cells, std::size_t warp, unsigned lane, std::size_t at, Cell cell,
                          std::uint32_t lanes) {
  const LaneSets::Key key{Cells::kShared, true, at, warp};
  const Cell old = cells.writer(at);
  const bool several_lanes = lanes != 1U << lane;
  const Several now = several_lanes ? Several::of_a_warp : Several::one;
  const bool recent = cells.recent(old);
  const Toucher toucher = recent ? toucher_of(cells, at, old, true) : Toucher{};
  if (!recent || !toucher.atomic) {
    if (several_lanes) keep_lanes(key, lanes, nullptr);
    if (recent && toucher.own_block) cells.plain_stores().keep(cells.word(at), old);
    cell = with_several(cell, now);
    return recent && toucher.own_block ? cell & ~kStrong : cell;
  }
  const Several all = merged(warp, lane, toucher);
  const Several joined = std::max(all, now);
  if (joined == Several::of_a_warp) keep_lanes(key, lanes, all == Several::one ? nullptr : &toucher);
  const bool foreign = !toucher.own_block || toucher.several == Several::of_several_blocks;
  cell = with_several(cell, joined);
  return !foreign && toucher.after_store ? cell & ~kStrong : cell;
}

template <class Cells>
void BlockShadow::note_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                            const Before& before, std::uint32_t lanes) {
  const std::size_t warp = context.warp->number();
  const std::size_t first = cells.first(lane);
  const Cell mine = cells.mine(static_cast<std::uint32_t>(warp * kLanes + lane));
  if (!touch.shared && touch.access != Access::read)
    launch_.global.defined.define(touch.place(lane), touch.width);
  for (std::size_t at = first; at < first + cells.count(); ++at) {
    if (touch.access != Access::read) {
      Cell cell = mine;
      const auto me = static_cast<std::uint32_t>(warp * kLanes + lane);
      if (touch.instruction.strength == Strength::is_volatile && has_fenced(me, block_scope)) {
        if (has_fenced(me, grid_scope)) cell = with_several(cell, Several::of_several_blocks);
        cell |= kBehindFence;
      }
      if (touch.access == Access::atomic) cell = updates(cells, warp, lane, at, cell, lanes);
      const Cell left = cells.set_writer(at, cell);
      if (Cells::kMeetsOtherBlocks && left != before.writers[(at - first) % 4])
        check_other_block(context, touch, lane, cells, left, true);
      continue;
    }
    // The race detector does not record the plain first load of a compare-and-swap loop, because it records
    // the compare-and-swap.
    if (touch.instruction.guess) return;
    const Cell old = cells.reader(at);
    if (Cells::kMeetsOtherBlocks && old == ShadowPlane::kSpread)
      // The word's four reader cells, one per byte, are replaced by one for the whole word. Readers are lost
      // and races may be missed, so results may depend on the order of execution.
      block_.launch().order_matters = true;
    const bool several_lanes = lanes != 1U << lane;
    Cell cell = several_lanes ? with_several(mine, Several::of_a_warp) : mine;
    const LaneSets::Key key{Cells::kShared, false, at, warp};
    if (several_lanes) keep_lanes(key, lanes, nullptr);
    if (cells.recent(old)) {
      const Toucher toucher = toucher_of(cells, at, old, false);
      const Several all = merged(warp, lane, toucher);
      if (all != Several::one) {
        if (all == Several::of_a_warp) keep_lanes(key, lanes, &toucher);
        // A shadow cell for several readers names only one of them. It names the older reader if this lane is
        // likely to store to the word next (as in x += 1), because the store must be checked against another
        // thread.
        const bool writes_next = several(old) != Several::one || launch_.updates(touch.instruction);
        cell = with_several(writes_next ? cells.younger(old, mine) : cells.younger(mine, old),
                            std::max(all, several(cell)));
        // A shadow cell for several readers is marked strong or atomic only if all of their accesses are.
        cell &= ~((kStrong | kAtomic) & ~(old & mine));
        if ((cell & kAtomic) == 0) cell &= ~kInBlock;
        if (cells.several_sites(old, mine)) cell |= kSeveralSites;
        if (cell == old) continue;
      }
    }
    cells.set_reader(at, cell);
  }
}

// Checks a lane's access for a race with one that another host thread has recorded in the shadow cell since
// the first check. Does nothing for accesses of the own block.
template <class Cells>
void BlockShadow::check_other_block(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                                    Cell cell, bool wrote) {
  if (cell == ShadowPlane::kSpread || !cells.recent(cell)) return;
  const Toucher toucher = with_flags(cells.decode(cell), cell, wrote);
  if (!toucher.own_block) judge(context, touch, lane, toucher);
}

template <class Cells>
void BlockShadow::check_again(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                              const Before& before) {
  const std::size_t first = cells.first(lane);
  for (std::size_t n = 0; n < cells.count(); ++n) {
    const Cell writer = cells.writer(first + n);
    if (writer != before.writers[n % 4]) check_other_block(context, touch, lane, cells, writer, true);
    if (touch.access == Access::read) continue;
    const Cell reader = cells.reader(first + n);
    if (reader != before.readers[n % 4]) check_other_block(context, touch, lane, cells, reader, false);
  }
}

template <class Cells>
void BlockShadow::touch_lanes(const Context& context, const Touch& touch, Cells cells) {
  std::uint32_t mask = touch.mask;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (!cells.known(lane)) mask &= ~(1U << lane);
  }
  if (mask == 0) return;
  const bool several_lanes = (mask & (mask - 1)) != 0;
  std::uint32_t lanes = mask;
  // If all lanes access one address and have acquired the same accesses, only two of them are checked for
  // races: the thread of an earlier access differs from at least one of the two.
  if (touch.uniform && several_lanes && clocks_[context.warp->number()].alike(barrier_))
    lanes = (mask & -mask) | ((mask & (mask - 1)) & -(mask & (mask - 1)));
  std::array<Before, kLanes> before;
  for (std::uint32_t rest = lanes; rest != 0 && !block_.stopped(); rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    check_lane(context, touch, lane, cells, before[lane]);
  }
  if (block_.stopped()) return;
  if (touch.uniform) lanes = mask & -mask;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    note_lane(context, touch, lane, cells, before[lane], touch.uniform ? mask : 1U << lane);
  }
  if constexpr (Cells::kMeetsOtherBlocks) {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      check_again(context, touch, lane, cells, before[lane]);
    }
  }
}

template <bool kQuick>
void BlockShadow::touch(const Context& context, const Touch& touch) {
  const std::size_t warp = context.warp->number();
  // In memory without shadow cells races go unnoticed, so the program's results may depend on the order of
  // execution.
  if (!touch.shared && (touch.slots != nullptr || touch.shadow == kNoShadow))
    block_.launch().order_matters = true;
  if (may_change_same_store(touch)) forget_changed_stores(context, touch);
  const bool several = !touch.contiguous && (touch.mask & (touch.mask - 1)) != 0;
  if (touch.access == Access::write && several && !is_atomic(touch)) find_same_word_stores(context, touch);
  const bool row = kQuick && !touch.shared && touch_global_rows(context, touch);
  if (!row && !(kQuick && touch_quickly(context, touch))) {
    if (touch.shared)
      touch_lanes(context, touch, SharedCells(*this, warp, touch));
    else
      touch_lanes(context, touch, GlobalCells(*this, warp, touch));
  }
  if (!publications_.empty() && (touch.access == Access::atomic || touch.instruction.strong()))
    publish(warp, touch);
}

template void BlockShadow::touch<true>(const Context& context, const Touch& touch);
template void BlockShadow::touch<false>(const Context& context, const Touch& touch);

void BlockShadow::report_past_an_array(const Context& context, const Touch& touch, unsigned lane) {
  block_.stop(CauseKind::out_of_bounds, &touch.instruction,
              fmt::format("{} of {} {} {}{}: test the index against the size before the access",
                          block_.thread_name(*context.warp, lane), block_.block_name(),
                          touch.access == Access::read    ? "reads"
                          : touch.access == Access::write ? "writes"
                                                          : "updates atomically",
                          name_of_word(touch, touch.addresses[lane]).element,
                          block_.callers(block_.location(touch.instruction), context.warp)),
              0, {}, seen_by(context, touch, lane));
}

WarpAccess BlockShadow::seen_by(const Context& context, const Touch& touch, unsigned lane) const {
  return warp_access_of(block_, *context.warp, touch.instruction, touch.access, touch.shared, touch.mask,
                        touch.addresses, lane);
}

// Returns the line in `file` that causes the access: its own line, or else that of the innermost call in this
// file; 0 if there is none.
std::uint32_t BlockShadow::line_in(std::uint32_t file, const Warp* warp, const ptx::Location& at) const {
  if (at.file == file) return at.line;
  for (const ptx::Location& caller : block_.callers_of(at, warp)) {
    if (caller.file == file) return caller.line;
  }
  return 0;
}

MemoryName BlockShadow::name_of_word(const Touch& touch, Address address) const {
  if (touch.shared) return name_of_shared(block_.launch(), static_cast<std::int64_t>(address), touch.width);
  return name_of_global(block_.launch(), address, touch.width);
}

}  // namespace warpmark::simulator
