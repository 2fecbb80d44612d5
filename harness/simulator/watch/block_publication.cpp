// What a block releases and acquires: its fences, its atomic operations and strong accesses.
#include <algorithm>
#include <bit>

#include "harness/simulator/machine/block.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {
namespace {

// Addresses of shared memory are a block's own.
constexpr std::uint64_t kSharedAddress = std::uint64_t{1} << 63;

}  // namespace

std::uint64_t BlockShadow::since_begin(std::uint64_t clock) const {
  return clock <= begin_ ? 0 : clock - begin_;
}

void BlockShadow::fence(std::size_t warp, std::uint32_t lanes, bool for_all_blocks) {
  // Accesses before and after it get different clocks.
  advance(warp);
  fenced_ = true;
  for (const Scope scope : {block_scope, grid_scope}) {
    if (scope == grid_scope && !for_all_blocks) continue;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      publications_[warp].fences[scope][static_cast<unsigned>(std::countr_zero(rest))] = {now(warp),
                                                                                          barrier_};
    }
  }
}

// Adds what the lanes' fences up to a clock cover. False: there were none in this block.
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
    // What the warp did before the lane's last synchronisation was over when the lane came to its fence.
    of_warp.lanes |= synced(warp, lane) > barrier_ ? kAllLanes : 1U << lane;
    of_warp.before = std::max(of_warp.before, since_begin(fence.at));
  }
  return any;
}

void BlockShadow::release(std::size_t warp, unsigned lane, std::uint64_t address) {
  std::array<Released, kScopes> released = handed_on_;
  bool any = false;
  for (const Scope scope : {block_scope, grid_scope}) {
    any |= add_fences(scope, warp, now(warp), 1U << lane, released[scope]);
    any |= add_fences(scope, warp, synced(warp, lane), kAllLanes, released[scope]);
    any |= released[scope].before != 0 || !released[scope].of_warp.empty();
  }
  if (!any) return;
  Acquired known = acquired_;
  merge(known, publications_[warp].acquired);
  launch_.publication.release(address, index_, released[block_scope], released[grid_scope], known);
}

bool BlockShadow::has_fenced(std::uint32_t thread) const {
  return !publications_.empty() &&
         publications_[thread / kLanes].fences[block_scope][thread % kLanes].at > begin_;
}

// An atomic operation or strong access at one address a lane. The data moves after this, so what the access
// sees is known only later: the address stays pending until the warp's next such access, barrier or
// conflict.
void BlockShadow::publish(std::size_t warp, const Touch& touch) {
  WarpPublication& own = publications_[warp];
  resolve(own);
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t address =
        touch.shared ? kSharedAddress | index_ << 32 | touch.addresses[lane] : touch.addresses[lane];
    if (touch.access != Access::read) release(warp, lane, address);
    if (touch.access == Access::write) continue;
    if (std::find(own.pending.begin(), own.pending.end(), address) == own.pending.end()) {
      own.pending.push_back(address);
    }
    acquiring_ = true;
  }
}

void BlockShadow::resolve(WarpPublication& warp) {
  for (const std::uint64_t address : warp.pending) launch_.publication.acquire(address, warp.acquired);
  warp.pending.clear();
}

void BlockShadow::hand_on() {
  if (std::exchange(fenced_, false)) {
    for (std::size_t warp = 0; warp < publications_.size(); ++warp) {
      for (const Scope scope : {block_scope, grid_scope}) {
        add_fences(scope, warp, latest_, kAllLanes, handed_on_[scope]);
      }
    }
  }
  if (!std::exchange(acquiring_, false)) return;
  for (WarpPublication& warp : publications_) {
    resolve(warp);
    merge(acquired_, warp.acquired);
  }
}

bool BlockShadow::published(std::size_t warp, const Toucher& old) {
  if (!launch_.fences) return false;
  WarpPublication& own = publications_[warp];
  resolve(own);
  Acquired known = acquired_;
  merge(known, own.acquired);
  if (known.empty()) return false;
  // Of several blocks that read, only the last is known, and it may be the own one.
  if (old.own_block && old.readers == Readers::of_several_blocks) return true;
  return launch_.publication.published(old.own_block ? index_ : old.block, old.thread,
                                       old.own_block ? since_begin(old.clock) : old.clock, old.own_block,
                                       known);
}

}  // namespace warpmark::simulator
