// Race detector: release and acquire by a block's fences, atomic operations and strong (volatile or atomic)
// accesses.
#include <algorithm>
#include <bit>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

// Address bit that distinguishes shared memory, which only the own block can access, from global memory.
constexpr std::uint64_t kSharedAddress = std::uint64_t{1} << 63;

}  // namespace

std::uint64_t BlockShadow::since_begin(std::uint64_t clock) const {
  return clock <= begin_ ? 0 : clock - begin_;
}

void BlockShadow::fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) {
  // A fence advances the warp's logical clock, so that a release can tell the accesses before the fence from
  // those after it.
  advance(warp);
  fenced_ = true;
  publications_[warp].unfenced[block_scope] &= ~lanes;
  if (for_all_blocks) publications_[warp].unfenced[grid_scope] &= ~lanes;
  for (const Scope scope : {block_scope, grid_scope}) {
    if (scope == grid_scope && !for_all_blocks) continue;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      publications_[warp].fences[scope][static_cast<unsigned>(std::countr_zero(rest))] = {now(warp),
                                                                                          barrier_};
    }
  }
}

// Collects in `into` the accesses that a release by these lanes publishes: those before the lanes' last
// fences of this scope, if executed by clock `until`. Returns false if the lanes have executed no such fence
// in this block.
bool BlockShadow::add_fences(Scope scope, std::size_t warp, std::uint64_t until, std::uint32_t lanes,
                             Released& into) const {
  bool any = false;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Fence& fence = publications_[warp].fences[scope][lane];
    if (fence.at <= begin_ || fence.at > until) continue;
    any = true;
    into.before = std::max(into.before, since_begin(fence.barrier));
    if (into.of_warp.size() <= warp) into.of_warp.resize(warp + 1);
    Released::OfWarp& of_warp = into.of_warp[warp];
    // If the lane has synchronised with its warp since the last barrier, its fence also covers earlier
    // accesses of the other lanes.
    of_warp.lanes |= synced(warp, lane) > barrier_ ? kAllLanes : 1U << lane;
    of_warp.before = std::max(of_warp.before, since_begin(fence.at));
  }
  return any;
}

void BlockShadow::release(std::size_t warp, unsigned lane, std::uint64_t address, bool in_block) {
  std::array<Released, kScopes> released = handed_on_;
  bool any = false;
  for (const Scope scope : {block_scope, grid_scope}) {
    any |= add_fences(scope, warp, now(warp), 1U << lane, released[scope]);
    any |= add_fences(scope, warp, synced(warp, lane), kAllLanes, released[scope]);
    any |= released[scope].before != 0 || !released[scope].of_warp.empty();
  }
  if (!any) return;
  if (in_block) released[grid_scope] = {};
  Acquired known = acquired_;
  merge(known, publications_[warp].acquired);
  launch_.publication.release(address, index_, since_begin(now(warp)), released[block_scope],
                              released[grid_scope], known);
}

bool BlockShadow::has_fenced(std::uint32_t thread, Scope scope) const {
  return !publications_.empty() && publications_[thread / kLanes].fences[scope][thread % kLanes].at > begin_;
}

// Performs the acquire and release of an atomic operation or strong access, one address per lane. The caller
// holds the lock of BlockObserver::order() until the data is transferred, so an access acquires exactly the
// releases whose values it can read.
void BlockShadow::publish(std::size_t warp, const Touch& touch) {
  WarpPublication& own = publications_[warp];
  const bool in_block = touch.instruction.strength == Strength::atomic_in_block;
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address = publication_address(touch, lane);
    // Acquire precedes release, so that a thread does not acquire its own release.
    if (touch.access != Access::write &&
        launch_.publication.acquire(address, index_, in_block, own.acquired)) {
      acquiring_ = true;
      for (std::uint32_t& lanes : own.unfenced) lanes |= 1U << lane;
    }
    if (touch.access != Access::read) release(warp, lane, address, in_block);
  }
}

std::uint64_t BlockShadow::publication_address(const Touch& touch, unsigned lane) const {
  return touch.shared ? kSharedAddress | index_ << 32 | touch.addresses[lane] : touch.addresses[lane];
}

bool BlockShadow::answers(std::size_t warp, std::uint64_t address, const Toucher& old) {
  if (!launch_.fences) return false;
  Acquired known = acquired_;
  merge(known, publications_[warp].acquired);
  return launch_.publication.answers(address, old.own_block ? index_ : old.block, known);
}

void BlockShadow::hand_on() {
  for (WarpPublication& warp : publications_) warp.unfenced = {};
  if (std::exchange(fenced_, false)) {
    for (std::size_t warp = 0; warp < publications_.size(); ++warp) {
      for (const Scope scope : {block_scope, grid_scope}) {
        add_fences(scope, warp, latest_, kAllLanes, handed_on_[scope]);
      }
    }
  }
  if (!std::exchange(acquiring_, false)) return;
  for (const WarpPublication& warp : publications_) merge(acquired_, warp.acquired);
}

bool BlockShadow::has_acquired(std::size_t warp, std::uint64_t address, const Toucher& old) {
  if (!launch_.fences || !old.wrote || !old.strong) return false;
  Acquired known = acquired_;
  merge(known, publications_[warp].acquired);
  return launch_.publication.has_acquired(address, old.own_block ? index_ : old.block,
                                          old.own_block ? since_begin(old.clock) : old.clock, old.own_block,
                                          known);
}

bool BlockShadow::published(std::size_t warp, const Toucher& old) {
  if (!launch_.fences) return false;
  Acquired known = acquired_;
  merge(known, publications_[warp].acquired);
  if (known.empty()) return false;
  // A shadow cell that represents several readers or atomic updaters names only the last one, possibly of the
  // own block; assume that the others were released, rather than report a false race.
  if (old.own_block && old.several == Several::of_several_blocks) return true;
  if (old.own_block && old.several != Several::one && old.wrote) return true;
  return launch_.publication.published(old.own_block ? index_ : old.block, old.thread,
                                       old.own_block ? since_begin(old.clock) : old.clock, old.own_block,
                                       known);
}

}  // namespace warpmark::simulator
