// Happens-before through barriers in which only part of a block takes part: named barriers with a thread
// count (bar.sync id, count) and barrier objects (mbarrier). An arrival releases the thread's accesses and
// all that it has acquired; a completed wait acquires the releases of all arrivals. Each thread has a vector
// clock; threads with equal clocks share one object.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "harness/simulator/watch/warp_clock.h"

namespace warpmark::simulator {

class PartBarriers {
 public:
  explicit PartBarriers(std::size_t warps) : known_(warps * kLanes), met_(warps * kLanes) {}

  // Resets the vector clocks of all threads and barriers; called when the simulation of a new block starts.
  void clear() {
    std::fill(known_.begin(), known_.end(), nullptr);
    std::fill(met_.begin(), met_.end(), 0);
    arrived_.clear();
    completed_.clear();
  }
  // Records that lanes of a warp arrive at a barrier. Releases their accesses with a clock below `before`,
  // what they have acquired from lanes of their warp (`clock`), and what they have acquired at other
  // barriers.
  void arrived(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier, std::uint64_t before,
               const WarpClock& clock) {
    Clocks& at = arrived_[barrier];
    at.resize(known_.size());
    each_group(warp, lanes, [&](const Shared& known, std::uint32_t) {
      if (known != nullptr) join(at, *known);
    });
    for (unsigned other = 0; other < kLanes; ++other) {
      std::uint64_t& of_other = at[warp * kLanes + other];
      if ((lanes >> other & 1) != 0) of_other = std::max(of_other, before);
      each_lane(lanes, [&](unsigned lane) { of_other = std::max(of_other, clock.known(lane, other)); });
    }
  }
  void completed(std::uint64_t barrier) { completed_[barrier] = arrived_[barrier]; }
  // Records that the wait of some lanes at a barrier has completed: they acquire what all arrivals have
  // released. `latest` exceeds the clock of every access so far.
  void passed(std::size_t warp, std::uint32_t lanes, std::uint64_t barrier, std::uint64_t latest) {
    const Clocks& completed = completed_[barrier];
    each_group(warp, lanes, [&](const Shared& known, std::uint32_t group) {
      auto more =
          known == nullptr ? std::make_shared<Clocks>(known_.size()) : std::make_shared<Clocks>(*known);
      join(*more, completed);
      each_lane(group, [&](unsigned lane) { known_[warp * kLanes + lane] = more; });
    });
    each_lane(lanes, [&](unsigned lane) { met_[warp * kLanes + lane] = latest; });
  }
  // Records that lanes synchronise within their warp (__syncwarp): each acquires what any of them has
  // acquired at barriers of part of the block.
  void synchronised(std::size_t warp, std::uint32_t lanes) {
    std::uint64_t met = 0;
    std::size_t groups = 0;
    each_group(warp, lanes, [&](const Shared&, std::uint32_t) { ++groups; });
    each_lane(lanes, [&](unsigned lane) { met = std::max(met, met_[warp * kLanes + lane]); });
    each_lane(lanes, [&](unsigned lane) { met_[warp * kLanes + lane] = met; });
    if (groups < 2) return;
    const auto all = std::make_shared<Clocks>(known_.size());
    each_group(warp, lanes, [&](const Shared& known, std::uint32_t) {
      if (known != nullptr) join(*all, *known);
    });
    each_lane(lanes, [&](unsigned lane) { known_[warp * kLanes + lane] = all; });
  }

  // Returns a clock: accesses of thread `other` below it happened before the current access of `thread`.
  [[nodiscard]] std::uint64_t known(std::size_t thread, std::size_t other) const {
    return known_[thread] == nullptr ? 0 : (*known_[thread])[other];
  }
  // Returns the clock of the thread's most recent barrier wait, or of a later one by a thread that it has
  // synchronised with since.
  [[nodiscard]] std::uint64_t met(std::size_t thread) const { return met_[thread]; }

 private:
  // vector clock: one logical clock per thread of a block; empty if no thread has arrived at a barrier
  using Clocks = std::vector<std::uint64_t>;
  using Shared = std::shared_ptr<const Clocks>;
  static void join(Clocks& into, const Clocks& more) {
    for (std::size_t thread = 0; thread < more.size(); ++thread)
      into[thread] = std::max(into[thread], more[thread]);
  }
  template <class Visit>
  static void each_lane(std::uint32_t lanes, Visit fn) {
    for (; lanes != 0; lanes &= lanes - 1) fn(static_cast<unsigned>(std::countr_zero(lanes)));
  }
  // Calls fn(clocks, lanes) once per group of lanes that share one vector clock object; clocks is null for
  // lanes that have acquired nothing.
  template <class Visit>
  void each_group(std::size_t warp, std::uint32_t lanes, Visit fn) const {
    while (lanes != 0) {
      const Shared known = known_[warp * kLanes + static_cast<unsigned>(std::countr_zero(lanes))];
      std::uint32_t group = 0;
      each_lane(lanes, [&](unsigned lane) {
        if (known_[warp * kLanes + lane] == known) group |= 1U << lane;
      });
      fn(known, group);
      lanes &= ~group;
    }
  }

  std::vector<Shared> known_;  // vector clock of each thread; null if it has acquired nothing
  Clocks met_;
  // Per barrier, the join (element-wise maximum) of the vector clocks of all arrivals so far, and of those up
  // to the last completed phase.
  std::unordered_map<std::uint64_t, Clocks> arrived_, completed_;
};

}  // namespace warpmark::simulator
