#include "harness/simulator/shadow.h"

#include <algorithm>
#include <bit>

#include "harness/simulator/block.h"
#include "harness/simulator/control_operations.h"

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

// Neighbours of the words of a row whose first or last lanes are idle, so that whole rows can be read.
constexpr std::size_t kMargin = kLanes;

}  // namespace

LaunchShadow::LaunchShadow(const Program& program, const DeviceMemory& memory)
    : global(memory.shadow()), begin(memory.shadow_begin()) {
  if (memory.open()) global.unseen();
  launch = global.next_launch(live_ranges(memory));
  for (const Instruction& instruction : program.code) {
    fences = fences || instruction.handler == control::fence;
    shared_bytes =
        shared_bytes || (instruction.site != 0 && instruction.width < 4 &&
                         (instruction.space == ptx::Space::shared || instruction.space == ptx::Space::none));
  }
}

BlockShadow::BlockShadow(Block& block, LaunchShadow& launch) : block_(block), launch_(launch) {
  const Dim3& threads = block.launch().block;
  const std::size_t warps = (std::size_t{threads.x} * threads.y * threads.z + kLanes - 1) / kLanes;
  clocks_.resize(warps);
  if (launch.fences) publications_.resize(warps);
  const std::size_t bytes = block.launch().shared_bytes;
  const std::size_t size = launch.shared_bytes ? 1 : 4;
  const std::size_t cells = (bytes + size - 1) / size;
  shared_readers_.resize(cells + 2 * kMargin);
  shared_writers_.resize(cells + 2 * kMargin);
  std::vector<Cell>& writers = shared_writers_;
  std::fill_n(writers.begin() + kMargin, cells, SharedCell::kNobodys);
  for (const SharedVariable& variable : block.launch().kernel.shared) {
    const bool dynamic = variable.bytes == 0;
    const std::size_t begin = dynamic ? block.launch().dynamic_shared_offset : variable.offset;
    const std::size_t end = dynamic ? bytes : std::min(bytes, begin + variable.bytes);
    for (std::size_t at = begin / size; at < (end + size - 1) / size; ++at) writers[kMargin + at] = 0;
  }
}

void BlockShadow::start(std::uint64_t index) {
  index_ = std::min<std::uint64_t>(index, GlobalCell::kUnknownBlock);
  begin_ = barrier_ = ++latest_;
  for (WarpPublication& warp : publications_) {
    warp.acquired.clear();
    warp.pending.clear();
  }
  handed_on_ = {};
  acquired_.clear();
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

// Shared memory of the block, a cell a word or a byte.
class BlockShadow::SharedCells {
 public:
  SharedCells(BlockShadow& shadow, std::size_t warp, const Touch& touch)
      : shadow_(shadow),
        shift_(shadow.launch_.shared_bytes ? 0 : 2),
        count_(std::max(1U, touch.width >> shift_)),
        mine_(shadow.now(warp) << SharedCell::kClockShift |
              std::uint64_t{touch.instruction.site % SharedCell::kSites} << SharedCell::kSiteShift) {}

  [[nodiscard]] bool known(Address) const { return true; }
  [[nodiscard]] std::size_t first(Address address) const { return kMargin + (address >> shift_); }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Cell writer(std::size_t at) const { return shadow_.shared_writers_[at]; }
  [[nodiscard]] Cell reader(std::size_t at) const { return shadow_.shared_readers_[at]; }
  void set_writer(std::size_t at, Cell cell) { shadow_.shared_writers_[at] = cell; }
  void set_reader(std::size_t at, Cell cell) { shadow_.shared_readers_[at] = cell; }
  [[nodiscard]] bool uninitialised(Cell writer) const {
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
    const std::uint32_t site = touch.instruction.site < GlobalCell::kSites ? touch.instruction.site : 0;
    mine_ = std::uint64_t{shadow.launch_.launch} << GlobalCell::kLaunchShift |
            shadow.index_ << GlobalCell::kBlockShift |
            std::min(shadow.since_begin(shadow.now(warp)), GlobalCell::kLastClock)
                << GlobalCell::kClockShift |
            std::uint64_t{site} << GlobalCell::kSiteShift;
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
  [[nodiscard]] bool uninitialised(Cell writer) const { return writer == 0; }
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
    undefined = undefined && cells.uninitialised(writer);
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
    const Cell old = cells.reader(at);
    Cell cell = several ? with_readers(mine, Readers::of_a_warp) : mine;
    if (cells.recent(old)) {
      const Readers all = merged(warp, lane, as_reader(cells.decode(old), old));
      if (all != Readers::one) {
        cell = with_readers(cells.younger(mine, old), std::max(all, readers(cell)));
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

// Who reads a word beside the lane, if the older readers still count.
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
  if (cell != ShadowPlane::kSpread) return cell != 0;
  const Cell* words = launch_.global.writers.words(row);
  return std::all_of(words, words + kShadowRowWords, [](Cell word) { return word != 0; });
}

// Whole rows, a word or two or four each lane. False when it has to be looked at lane by lane.
bool BlockShadow::touch_global_rows(const Context& context, const Touch& touch) {
  const Address offset = touch.addresses[0] - launch_.begin;
  if (!touch.contiguous || touch.mask != kAllLanes || touch.width < 4 || touch.access == Access::atomic ||
      touch.instruction.strong || offset >= kDeviceMemoryBytes || offset % kShadowRowBytes != 0) {
    return false;
  }
  const std::size_t warp = context.warp->number();
  const GlobalCells cells(*this, warp, touch);
  const unsigned rows = touch.width / 4;
  const auto step = static_cast<unsigned>(std::countr_zero(rows));
  const std::size_t first = offset / kShadowRowBytes;
  const auto mine_of = [&](unsigned row) {
    const auto thread = static_cast<std::uint32_t>(warp * kLanes + row * (kLanes >> step));
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

// Who reads a row when the warp joins those that its cell names.
Readers BlockShadow::beside(std::size_t warp, Cell row) const {
  const Readers before = readers(row);
  if (GlobalCell::block(row) != index_ || before == Readers::of_several_blocks)
    return Readers::of_several_blocks;
  const bool same_warp = GlobalCell::thread(row) / kLanes == warp && before != Readers::of_a_block;
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

SharedRow BlockShadow::row_of(std::size_t warp, const Touch& touch) {
  const auto first = static_cast<unsigned>(std::countr_zero(touch.mask));
  const std::size_t at = kMargin + touch.addresses[first] / 4 - first;
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
