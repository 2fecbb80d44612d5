// Happens-before within a block: clocks, and the effect of barriers and __syncwarp() on them.
#include <algorithm>

#include "harness/simulator/engine/machine/block.h"
#include "harness/simulator/watch/shadow.h"

namespace warpmark::simulator {

std::uint64_t BlockShadow::now(std::size_t warp) const {
  return std::max(barrier_, clocks_[warp].now());
}

std::uint64_t BlockShadow::synced(std::size_t warp, unsigned lane) const {
  return std::max(barrier_, clocks_[warp].last(lane));
}

void BlockShadow::advance(std::size_t warp) {
  clocks_[warp].set_now(now(warp) + 1);
  latest_ = std::max(latest_, clocks_[warp].now());
}

void BlockShadow::barrier() {
  if (!publications_.empty()) hand_on();
  barrier_ = ++latest_;
  lane_sets_.clear();
  same_stores_.clear();
}

void BlockShadow::arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) {
  // A thread that only arrives continues before or after the others arrive, so their order may matter.
  block_.launch().order_matters = true;
  if (part_barriers_) part_barriers_->arrived(warp, lanes, barrier, now(warp) + 1, clocks_[warp]);
  advance(warp);
}

void BlockShadow::completed(std::uint64_t barrier) {
  if (!publications_.empty()) hand_on();
  if (part_barriers_) part_barriers_->completed(barrier);
}

void BlockShadow::passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) {
  if (part_barriers_) part_barriers_->passed(warp, lanes, barrier, latest_ + 1);
}

void BlockShadow::synchronised(std::size_t warp, std::uint32_t lanes) {
  advance(warp);
  clocks_[warp].synchronise(lanes, clocks_[warp].now());
  if (part_barriers_) part_barriers_->synchronised(warp, lanes);
  apart_ = apart_ || lanes != kAllLanes;
}

// True if the access by `thread` at this clock is the lane's own, or happened before its current access.
bool BlockShadow::knows(std::size_t warp, unsigned lane, std::uint32_t thread, std::uint64_t clock) const {
  const std::size_t me = warp * kLanes + lane;
  if (thread == me || clock < barrier_) return true;
  if (thread / kLanes == warp && clock < clocks_[warp].known(lane, thread % kLanes)) return true;
  return part_barriers_ && clock < part_barriers_->known(me, thread);
}

// Likewise for all accesses that the cell represents, by one thread or several.
bool BlockShadow::is_over(std::size_t warp, unsigned lane, const Toucher& old) const {
  if (old.clock < barrier_) return true;
  if (old.several == Several::of_a_block)
    return part_barriers_ && old.clock < part_barriers_->met(warp * kLanes + lane);
  const std::uint32_t first = old.thread / kLanes * kLanes;
  if (old.lanes != nullptr) {
    for (unsigned other = 0; other < kLanes; ++other) {
      if (!knows(warp, lane, first + other, (*old.lanes)[other])) return false;
    }
    return true;
  }
  // Before a subset of lanes first synchronised, the lanes that a cell represents were not recorded.
  if (old.several == Several::one || keeps_lanes()) return knows(warp, lane, old.thread, old.clock);
  return first == warp * kLanes && old.clock < clocks_[warp].of_all();
}

// Which readers (or atomic updaters) a cell represents once this lane joins the older ones that are not
// ordered before it.
Several BlockShadow::merged(std::size_t warp, unsigned lane, const Toucher& old) {
  if (!old.own_block || old.several == Several::of_several_blocks)
    return published(warp, old) ? Several::one : Several::of_several_blocks;
  if (is_over(warp, lane, old) || published(warp, old)) return Several::one;
  const bool same_warp = old.thread / kLanes == warp && old.several != Several::of_a_block;
  return same_warp ? Several::of_a_warp : Several::of_a_block;
}

// Records the clocks of the lanes that a cell is about to represent.
void BlockShadow::keep_lanes(const LaneSets::Key& key, std::uint32_t lanes, const Toucher* old) {
  if (!keeps_lanes()) return;
  const bool goes_on = old != nullptr && old->lanes != nullptr;
  LaneClocks& clocks = goes_on ? lane_sets_.of(key) : lane_sets_.begin(key);
  if (old != nullptr && !goes_on) clocks[old->thread % kLanes] = old->clock;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) clocks[lane] = now(key.warp);
  }
}

}  // namespace warpmark::simulator
