// Race detector: the happens-before order within a block, and how barriers and __syncwarp() advance the
// logical clocks.
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

void BlockShadow::barrier(const Instruction* instruction) {
  ++barriers_;
  last_barrier_ = instruction;
  if (!publications_.empty()) hand_on();
  barrier_ = ++latest_;
  lane_sets_.clear();
  same_stores_.clear();
}

void BlockShadow::name_barriers(wire::Finding& finding) const {
  if (part_barriers_) return;
  for (RacingAccess& access : finding.accesses) {
    access.barriers = barriers_;
    if (barriers_ > 0 && last_barrier_ != nullptr)
      access.barrier_line = static_cast<int>(block_.location(*last_barrier_).line);
  }
}

void BlockShadow::arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier) {
  // A thread that arrives without waiting (bar.arrive) runs on concurrently with the others, so the result
  // may depend on the order of execution.
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

// True if the access that `thread` made at `clock` happened before the lane's current access, or is the
// lane's own.
bool BlockShadow::knows(std::size_t warp, unsigned lane, std::uint32_t thread, std::uint64_t clock) const {
  const std::size_t me = warp * kLanes + lane;
  if (thread == me || clock < barrier_) return true;
  if (thread / kLanes == warp && clock < clocks_[warp].known(lane, thread % kLanes)) return true;
  return part_barriers_ && clock < part_barriers_->known(me, thread);
}

// True if all accesses that the shadow cell `old` represents (by one or several threads) happened before the
// lane's current access.
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
  // A shadow cell that represents several lanes and was written before the first __syncwarp() of a subset of
  // lanes does not say which lanes: the access happened before only if the whole warp has synchronised since.
  if (old.several == Several::one || keeps_lanes()) return knows(warp, lane, old.thread, old.clock);
  return first == warp * kLanes && old.clock < clocks_[warp].of_all();
}

// Returns the set of threads (one, several of a warp, of a block, of several blocks) that a shadow cell must
// represent after this lane's read or atomic update is added: older accesses that happened before are
// dropped.
Several BlockShadow::merged(std::size_t warp, unsigned lane, const Toucher& old) {
  if (!old.own_block || old.several == Several::of_several_blocks)
    return published(warp, old) ? Several::one : Several::of_several_blocks;
  if (is_over(warp, lane, old) || published(warp, old)) return Several::one;
  const bool same_warp = old.thread / kLanes == warp && old.several != Several::of_a_block;
  return same_warp ? Several::of_a_warp : Several::of_a_block;
}

// Records the current clock of each lane in `lanes`, for a shadow cell that represents several lanes of one
// warp.
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
