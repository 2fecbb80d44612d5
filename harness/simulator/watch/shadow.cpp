#include "harness/simulator/watch/shadow.h"

#include <algorithm>
#include <bit>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/machine/control_operations.h"
#include "harness/simulator/watch/shadow_views.h"

namespace warpmark::simulator {
namespace {

std::vector<GlobalShadow::Range> live_ranges(const DeviceMemory& memory) {
  std::vector<GlobalShadow::Range> ranges;
  for (const Allocation& allocation : memory.allocations()) {
    const Address offset = allocation.begin - memory.shadow_begin();
    if (!allocation.freed && offset < kDeviceMemoryBytes) ranges.push_back({offset, allocation.bytes});
  }
  return ranges;
}

}  // namespace

LaunchShadow::LaunchShadow(const Program& of_program, const DeviceMemory& of)
    : program(of_program), memory(of), global(memory.shadow()), begin(memory.shadow_begin()) {
  if (memory.open()) global.unseen();
  grid_barrier();
  for (const ProgramFunction& function : program.functions)
    local_arrays = local_arrays || !function.arrays.empty();
  for (const Instruction& instruction : program.code) {
    fences = fences || instruction.handler == control::fence;
    barriers = barriers || instruction.handler == control::block_barrier;
    bytewise =
        bytewise || (instruction.site != 0 && instruction.width < 4 &&
                     (instruction.space == ptx::Space::shared || instruction.space == ptx::Space::none));
  }
}

void LaunchShadow::grid_barrier() {
  launch = global.next_launch(live_ranges(memory));
}

BlockShadow::BlockShadow(Block& block, LaunchShadow& launch) : block_(block), launch_(launch) {
  const Dim3& threads = block.launch().block;
  const std::size_t warps = (std::size_t{threads.x} * threads.y * threads.z + kLanes - 1) / kLanes;
  clocks_.resize(warps);
  if (launch.fences) publications_.resize(warps);
  const std::size_t bytes = block.launch().shared_bytes;
  const std::size_t size = launch.bytewise ? 1 : 4;
  const std::size_t cells = (bytes + size - 1) / size;
  shared_readers_.resize(cells + 2 * kSharedMargin);
  shared_writers_.resize(cells + 2 * kSharedMargin);
  std::vector<Cell>& writers = shared_writers_;
  std::fill_n(writers.begin() + kSharedMargin, cells, SharedCell::kNobodys);
  for (const SharedVariable& variable : block.launch().kernel.shared) {
    const bool dynamic = variable.bytes == 0;
    const std::size_t begin = dynamic ? block.launch().dynamic_shared_offset : variable.offset;
    const std::size_t end = dynamic ? bytes : std::min(bytes, begin + variable.bytes);
    for (std::size_t at = begin / size; at < (end + size - 1) / size; ++at) writers[kSharedMargin + at] = 0;
  }
}

void BlockShadow::start(std::uint64_t index) {
  index_ = std::min<std::uint64_t>(index, GlobalCell::kUnknownBlock);
  begin_ = barrier_ = ++latest_;
  for (WarpPublication& warp : publications_) {
    warp.acquired.clear();
  }
  handed_on_ = {};
  acquired_.clear();
  undefined_reads_.clear();
  fenced_ = acquiring_ = false;
}

std::uint64_t BlockShadow::now(std::size_t warp) const {
  return std::max(barrier_, clocks_[warp].now);
}

std::uint64_t BlockShadow::synced(std::size_t warp, unsigned lane) const {
  return std::max(barrier_, clocks_[warp].synced[lane]);
}

void BlockShadow::advance(std::size_t warp) {
  clocks_[warp].now = now(warp) + 1;
  latest_ = std::max(latest_, clocks_[warp].now);
}

void BlockShadow::barrier() {
  if (!publications_.empty()) hand_on();
  barrier_ = ++latest_;
}

void BlockShadow::synchronised(std::size_t warp, std::uint32_t lanes) {
  advance(warp);
  WarpClock& clock = clocks_[warp];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) clock.synced[lane] = clock.now;
  }
  clock.least_synced = *std::min_element(clock.synced.begin(), clock.synced.end());
}

namespace {

Toucher as_writer(Toucher toucher, Cell cell) {
  toucher.wrote = true;
  toucher.strong = (cell & kStrong) != 0;
  toucher.atomic = (cell & kAtomic) != 0;
  return toucher;
}

Toucher as_reader(Toucher toucher, Cell cell) {
  toucher.readers = readers(cell);
  toucher.strong = (cell & kStrong) != 0;
  return toucher;
}

// An exchange begins locks and flags, too: it is taken for a store.
bool reads(const Touch& touch) {
  return touch.access != Access::write && !(touch.access == Access::atomic && touch.instruction.detail != 0);
}

}  // namespace

// Of an access of one lane: what it conflicts with.
template <class Cells>
void BlockShadow::check_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells) {
  const Address address = touch.addresses[lane];
  const std::size_t first = cells.first(address);
  bool undefined = reads(touch);
  for (std::size_t at = first; at < first + cells.count(); ++at) {
    const Cell writer = cells.writer(at);
    if (cells.nobodys(writer)) return report_past_an_array(context, touch, lane);
    undefined = undefined && cells.uninitialised(writer, address);
    if (cells.recent(writer) && cells.same_bytes(writer, address)) {
      judge(context, touch, lane, as_writer(cells.decode(writer), writer));
    }
    if (touch.access == Access::read) continue;
    const Cell reader = cells.reader(at);
    if (cells.recent(reader) && cells.same_bytes(reader, address)) {
      judge(context, touch, lane, as_reader(cells.decode(reader), reader));
    }
  }
  // Copies of structures read their padding along: an access is at fault when nothing of it was written.
  if (undefined) report_uninitialised(context, touch, lane);
}

template <class Cells>
void BlockShadow::note_lane(const Context& context, const Touch& touch, unsigned lane, Cells& cells,
                            bool several) {
  const std::size_t warp = context.warp->number();
  const Address address = touch.addresses[lane];
  const std::size_t first = cells.first(address);
  Cell mine = cells.mine(static_cast<std::uint32_t>(warp * kLanes + lane), address);
  if (touch.access == Access::atomic) mine |= kStrong | kAtomic;
  if (touch.instruction.strong) mine |= kStrong;
  for (std::size_t at = first; at < first + cells.count(); ++at) {
    if (touch.access != Access::read) {
      cells.set_writer(at, mine | kWritten);
      continue;
    }
    if (touch.instruction.guess) return;  // the swap that tests it is what counts
    const Cell old = cells.reader(at);
    Cell cell = several ? with_readers(mine, Readers::of_a_warp) : mine;
    // A reader of other bytes of the word is forgotten: it conflicts with nothing here.
    if (cells.recent(old) && cells.same_bytes(old, address)) {
      const Readers all = merged(warp, lane, as_reader(cells.decode(old), old));
      if (all != Readers::one) {
        // Of several readers the cell goes on naming another: this one often writes next, or always.
        const bool writes_next = readers(old) != Readers::one || launch_.updates(touch.instruction);
        cell = with_readers(writes_next ? cells.younger(old, mine) : cells.younger(mine, old),
                            std::max(all, readers(cell)));
        if ((old & kStrong) == 0) cell &= ~kStrong;
        if (cell == old) continue;
      }
    }
    cells.set_reader(at, cell);
  }
}

template <class Cells>
void BlockShadow::touch_lanes(const Context& context, const Touch& touch, Cells cells) {
  std::uint32_t mask = touch.mask;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (!cells.known(touch.addresses[lane])) mask &= ~(1U << lane);
  }
  if (mask == 0) return;
  const auto first = static_cast<unsigned>(std::countr_zero(mask));
  const bool several = (mask & (mask - 1)) != 0;
  if (touch.uniform) {
    // Two lanes stand for all: what conflicts with none of them is the work of neither.
    check_lane(context, touch, first, cells);
    if (several)
      check_lane(context, touch, static_cast<unsigned>(std::countr_zero(mask & (mask - 1))), cells);
    if (!block_.stopped()) note_lane(context, touch, first, cells, several);
    return;
  }
  for (std::uint32_t rest = mask; rest != 0 && !block_.stopped(); rest &= rest - 1) {
    check_lane(context, touch, static_cast<unsigned>(std::countr_zero(rest)), cells);
  }
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    note_lane(context, touch, static_cast<unsigned>(std::countr_zero(rest)), cells, false);
  }
}

// The readers of a word beside the lane, if the older ones still count.
Readers BlockShadow::merged(std::size_t warp, unsigned lane, const Toucher& old) {
  if (!old.own_block || old.readers == Readers::of_several_blocks) {
    return published(warp, old) ? Readers::one : Readers::of_several_blocks;
  }
  if (old.clock < barrier_) return Readers::one;
  if (old.readers == Readers::one && old.thread == warp * kLanes + lane) return Readers::one;
  const bool same_warp = old.thread / kLanes == warp && old.readers != Readers::of_a_block;
  if ((same_warp && old.clock < synced(warp, lane)) || published(warp, old)) return Readers::one;
  return same_warp ? Readers::of_a_warp : Readers::of_a_block;
}

void BlockShadow::touch(const Context& context, const Touch& touch) {
  const std::size_t warp = context.warp->number();
  if (touch.access == Access::write && !touch.contiguous && (touch.mask & (touch.mask - 1)) != 0) {
    find_same_word_stores(context, touch);
  }
  if (touch.shared) {
    touch_lanes(context, touch, SharedCells(*this, warp, touch));
  } else if (!touch_global_rows(context, touch)) {
    touch_lanes(context, touch, GlobalCells(*this, warp, touch));
  }
  if (!publications_.empty() && (touch.access == Access::atomic || touch.instruction.strong))
    publish(warp, touch);
}

}  // namespace warpmark::simulator
