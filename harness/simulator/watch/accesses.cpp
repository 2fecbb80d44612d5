// Classifies each memory access of a warp (shared, global, local, another block of the cluster) and passes it
// to the race detector, the counters and the footprint recorder.
#include "harness/simulator/engine/machine/cluster.h"
#include "harness/simulator/engine/machine/warp.h"
#include "harness/simulator/engine/operations/locate.h"
#include "harness/simulator/engine/operations/tables.h"
#include "harness/simulator/engine/operations/variant.h"
#include "harness/simulator/watch/launch_watch.h"
#include "harness/simulator/watch/word_lanes.h"

namespace warpmark::simulator::WARPMARK_VARIANT {
namespace {

// GCC vector type of four 64-bit shadow cells, for SIMD comparison and selection.
using Quad = std::int64_t __attribute__((vector_size(32)));
constexpr unsigned kQuad = 4;
constexpr std::uint32_t kQuadMask = (1U << kQuad) - 1;

struct LaneThreads {
  alignas(64) std::int64_t cell[kLanes];
  constexpr LaneThreads() : cell() {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      cell[lane] = std::int64_t{lane} << SharedCell::kThreadShift;
  }
};
constexpr LaneThreads kLaneThreads;

// Fast path of the race detector for shared memory, if consecutive lanes access consecutive words. If no
// lane's shadow cell holds a conflicting access or shows an uninitialised word, updates the cells and returns
// true. Otherwise changes nothing and returns false; the access needs the slow path (shadow.cpp).
template <Access kAccess>
bool pass_row(const SharedRow& row, std::uint32_t mask) {
  constexpr std::int64_t kThread = std::int64_t{kThreadField} << SharedCell::kThreadShift;
  constexpr std::int64_t kWarp = kThread & ~(std::int64_t{kLanes - 1} << SharedCell::kThreadShift);
  const auto barrier = static_cast<std::int64_t>(row.barrier);
  const auto synced = static_cast<std::int64_t>(row.synced);
  Cell* const cells = kAccess == Access::read ? row.readers : row.writers;
  Quad updated[kLanes / kQuad];
  Quad bad{};
  for (unsigned at = 0; at < kLanes; at += kQuad) {
    if ((mask >> at & kQuadMask) == 0) continue;
    Quad writer;
    Quad reader;
    Quad threads;
    Quad lanes;
    std::memcpy(&writer, row.writers + at, sizeof writer);
    std::memcpy(&reader, row.readers + at, sizeof reader);
    std::memcpy(&threads, kLaneThreads.cell + at, sizeof threads);
    std::memcpy(&lanes, kLaneBits<std::uint64_t>.bit + at, sizeof lanes);
    const Quad mine = static_cast<std::int64_t>(row.mine) + threads;
    const Quad active = (lanes & static_cast<std::int64_t>(mask)) != 0;
    // Lanes for which this fast path of the race detector does not suffice: the word's shadow cell was
    // written since the last block barrier or, for a load, the block has not initialised the word.
    Quad found = (writer >= barrier) | (reader >= barrier);
    if constexpr (kAccess == Access::read) found |= writer < static_cast<std::int64_t>(row.begin);
    found &= active;
    if ((found[0] | found[1] | found[2] | found[3]) != 0) {
      const Quad writers_thread = ((writer ^ mine) & kThread) != 0;
      const Quad writers_warp = ((writer ^ mine) & kWarp) != 0;
      const Quad readers_thread = ((reader ^ mine) & kThread) != 0;
      const Quad readers_warp = ((reader ^ mine) & kWarp) != 0;
      const Quad disturbing_writer =
          writers_thread & (writer >= barrier) & (writers_warp | (writer >= synced));
      const Quad disturbing_reader =
          readers_thread & (reader >= barrier) & (readers_warp | (reader >= synced));
      constexpr auto kMany = static_cast<std::int64_t>(kSeveral);
      const Quad crowd =
          (((reader & kMany) != 0) & (reader >= barrier)) | (((writer & kMany) != 0) & (writer >= barrier));
      found = disturbing_writer | disturbing_reader | crowd |
              (writer >= static_cast<std::int64_t>(SharedCell::kNobodys));
      if constexpr (kAccess == Access::read) found |= writer < static_cast<std::int64_t>(row.begin);
      bad |= found & active;
    }
    updated[at / kQuad] = (mine & active) | ((kAccess == Access::read ? reader : writer) & ~active);
  }
  if ((bad[0] | bad[1] | bad[2] | bad[3]) != 0) return false;
  for (unsigned at = 0; at < kLanes; at += kQuad) {
    if ((mask >> at & kQuadMask) != 0) std::memcpy(cells + at, &updated[at / kQuad], sizeof(Quad));
  }
  return true;
}

// True if the active lanes access contiguous memory: the address of lane i is base + i * width.
bool side_by_side(const Touch& touch) {
  const Address* addresses = aligned(touch.addresses);
  std::uint64_t gaps = 0;
  if (touch.mask == kAllLanes) {
    for (unsigned lane = 1; lane < kLanes; ++lane)
      gaps |= addresses[lane] - addresses[lane - 1] - touch.width;
    return gaps == 0;
  }
  const auto first = static_cast<unsigned>(std::countr_zero(touch.mask));
  const Address origin = addresses[first] - Address{first} * touch.width;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool active = (touch.mask & kLaneBits<std::uint64_t>.bit[lane]) != 0;
    gaps |= active ? addresses[lane] - Address{lane} * touch.width - origin : 0;
  }
  return gaps == 0;
}

// Observer of one block's memory accesses. kQuick: the race detector tries its fast paths before the full
// rules.
template <bool kQuick>
class VariantWatch final : public BlockWatch {
 public:
  using BlockWatch::BlockWatch;
  void accessed(Context& c, const Instruction& i, Access access, const Located& at,
                const Slots& slots) override;

 private:
  void judge(Context& c, Touch touch);
  void show(Context& c, const Touch& touch);
  void show_lanes(Context& c, Touch touch, std::uint32_t mask, Address origin);
  // Reports the accesses of the lanes in `mask`, which lie in the shared memory of other blocks of the
  // cluster, to the race detector.
  void show_other_blocks(Context& c, const Touch& touch, std::uint32_t mask);
  void read_local(const Context& c, const Instruction& i, Access access, std::uint32_t lanes,
                  const Located& at, const Slots& slots) {
    if (access == Access::read && shadow_ != nullptr) shadow_->read_local(c, i, lanes, at, slots);
  }
};

template <bool kQuick>
void VariantWatch<kQuick>::judge(Context& c, Touch touch) {
  if constexpr (!kQuick) {
    touch.uniform = all_equal(aligned(touch.addresses));
    return shadow_->touch<kQuick>(c, touch);
  }
  touch.contiguous = side_by_side(touch);
  if (touch.shared && touch.contiguous && touch.width == 4 && touch.access != Access::atomic &&
      !touch.instruction.strong() && !touch.instruction.guess && shadow_->has_rows(touch)) {
    const SharedRow row = shadow_->row_of(c.warp->number(), touch);
    if (touch.access == Access::read ? pass_row<Access::read>(row, touch.mask)
                                     : pass_row<Access::write>(row, touch.mask)) {
      return;
    }
  }
  touch.uniform = all_equal(aligned(touch.addresses));
  const bool whole_rows =
      !touch.shared && touch.contiguous && touch.mask == kAllLanes && touch.place(0) % kShadowRowBytes == 0;
  const bool one_lane = (touch.mask & (touch.mask - 1)) == 0;
  if (!whole_rows && !one_lane && shadow_->has_words(touch)) {
    const WordLanes lanes = shadow_->words_of(c.warp->number(), touch);
    const std::uint32_t left =
        touch.access == Access::read ? pass_loads(lanes, touch) : pass_stores(lanes, touch);
    if (left == 0) return;
    touch.mask = left;
  }
  shadow_->touch<kQuick>(c, touch);
}

template <bool kQuick>
void VariantWatch<kQuick>::show(Context& c, const Touch& touch) {
  if (shadow_ != nullptr) {
    if (!touch.shared && touch.access != Access::read && shadow_->reports_writes())
      shadow_->report_write(c, touch);
    judge(c, touch);
    if (touch.shared && shadow_->has_copies()) [[unlikely]]
      shadow_->look_for_copies(c, touch);
  }
  if (touch.shared) {
    const Block& block = c.warp->block();
    if (Cluster* cluster = block.cluster())
      cluster->touched(c, touch, block.rank_in_cluster(), block.rank_in_cluster());
  }
  if (counters_ != nullptr) counters_->touched(c.warp->number(), touch);
  if (keeps_costly_) [[unlikely]]
    keep_costly(c, touch);
  if (footprint_ != nullptr && !touch.shared) footprint_->add(touch, touched_);
}

// Passes a warp's access to the race detector, the counters and the footprint recorder, restricted to the
// lanes in `mask` and with `origin` subtracted from each address. Inactive lanes get a copy of the first
// active lane's address.
template <bool kQuick>
void VariantWatch<kQuick>::show_lanes(Context& c, Touch touch, std::uint32_t mask, Address origin) {
  if (mask == 0) return;
  alignas(64) Address addresses[kLanes];
  const Address first = c.addresses[static_cast<unsigned>(std::countr_zero(mask))] - origin;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    addresses[lane] = (mask & kLaneBits<std::uint64_t>.bit[lane]) != 0 ? c.addresses[lane] - origin : first;
  }
  touch.mask = mask;
  touch.addresses = addresses;
  show(c, touch);
}

template <bool kQuick>
void VariantWatch<kQuick>::show_other_blocks(Context& c, const Touch& touch, std::uint32_t mask) {
  const Block& block = c.warp->block();
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address offset = c.addresses[lane] - c.shared_window;
    alignas(64) Address addresses[kLanes];
    for (Address& address : addresses) address = offset % kClusterStep;
    Touch one = touch;
    one.shared = true;
    one.mask = 1U << lane;
    one.addresses = addresses;
    block.cluster()->touched(c, one, block.rank_in_cluster(),
                             static_cast<unsigned>(offset / kClusterStep - 1));
    if (counters_ != nullptr) counters_->touched(c.warp->number(), one);
  }
}

template <bool kQuick>
void VariantWatch<kQuick>::accessed(Context& c, const Instruction& i, Access access, const Located& at,
                                    const Slots& slots) {
  const auto in_window = [&](Address address) { return address - c.shared_window < kWindowBytes; };
  const bool generic = i.space == ptx::Space::none;
  Touch touch{.instruction = i,
              .access = access,
              .shared = i.space == ptx::Space::shared,
              .width = i.width,
              .mask = c.mask,
              .addresses = c.addresses.data(),
              .shadow = at.shadow};
  switch (at.kind) {
    case Located::Kind::flat:
      if (!generic || !in_window(c.addresses[static_cast<unsigned>(std::countr_zero(c.mask))]))
        return show(c, touch);
      touch.shared = true;
      return show_lanes(c, touch, c.mask, c.shared_window);
    case Located::Kind::scattered: {
      if (i.space == ptx::Space::local) return read_local(c, i, access, c.mask, at, slots);
      if (i.space == ptx::Space::param) return;
      std::uint32_t shared = touch.shared ? c.mask : 0;
      std::uint32_t global = c.mask & ~shared;
      std::uint32_t local = 0;
      std::uint32_t others = 0;
      for (unsigned lane = 0; generic && lane < kLanes; ++lane) {
        if ((c.mask >> lane & 1) == 0) continue;
        if (slots[lane].local) local |= c.mask & (1U << lane);
        if (!in_window(c.addresses[lane])) continue;
        (c.addresses[lane] - c.shared_window < kClusterStep ? shared : others) |= c.mask & (1U << lane);
      }
      global &= ~(shared | local | others);
      show_other_blocks(c, touch, others);
      if (local != 0) read_local(c, i, access, local, at, slots);
      touch.shared = true;
      show_lanes(c, touch, shared, generic ? c.shared_window : 0);
      touch.shared = false;
      touch.slots = &slots;
      return show_lanes(c, touch, global, 0);
    }
    case Located::Kind::row:
      return read_local(c, i, access, c.mask, at, slots);
    case Located::Kind::failed:
      return;
  }
}

}  // namespace

std::unique_ptr<BlockObserver> observer_of(Block& block, LaunchWatch& launch, bool all_rules) {
  if (all_rules) return std::make_unique<VariantWatch<false>>(block, launch);
  return std::make_unique<VariantWatch<true>>(block, launch);
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
