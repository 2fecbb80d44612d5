// What the threads of a block know of each other by barriers for part of the block: named ones with a number
// of threads, and those that are objects. Arriving says what the thread has done and knows; who waits gets to
// know it.
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

  // A block begins.
  void clear() {
    std::fill(known_.begin(), known_.end(), nullptr);
    std::fill(met_.begin(), met_.end(), 0);
    arrived_.clear();
    completed_.clear();
  }
  // Lanes come to the barrier of that name, with all of their accesses below the clock `before`, and what
  // they know of their warp.
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
  // Lanes have waited there. latest: above the clocks of all accesses so far.
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
  // Lanes of a warp meet: each gets to know what any of them knows.
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

  // Clock below which a thread knows the accesses of another one.
  [[nodiscard]] std::uint64_t known(std::size_t thread, std::size_t other) const {
    return known_[thread] == nullptr ? 0 : (*known_[thread])[other];
  }
  // Clock of the last barrier that the thread, or one that it has met since, has waited at.
  [[nodiscard]] std::uint64_t met(std::size_t thread) const { return met_[thread]; }

 private:
  using Clocks = std::vector<std::uint64_t>;  // by thread; none: of nobody
  using Shared = std::shared_ptr<const Clocks>;
  static void join(Clocks& into, const Clocks& more) {
    for (std::size_t thread = 0; thread < more.size(); ++thread)
      into[thread] = std::max(into[thread], more[thread]);
  }
  template <class Visit>
  static void each_lane(std::uint32_t lanes, Visit fn) {
    for (; lanes != 0; lanes &= lanes - 1) fn(static_cast<unsigned>(std::countr_zero(lanes)));
  }
  // fn(what they know, lanes) for lanes that know the same.
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

  std::vector<Shared> known_;  // by thread
  Clocks met_;
  // By barrier: all arrivals so far, and those of completed phases.
  std::unordered_map<std::uint64_t, Clocks> arrived_, completed_;
};

}  // namespace warpmark::simulator
