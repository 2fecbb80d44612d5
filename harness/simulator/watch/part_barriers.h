// What the warps of a block know of each other by barriers for part of the block: named ones with a number of
// threads, and those that are objects. Arriving says what the warp has done and knows; who waits gets to know
// it. Warps count whole.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpmark::simulator {

class PartBarriers {
 public:
  explicit PartBarriers(std::size_t warps) : known_(warps, Clocks(warps)), met_(warps) {}

  // A block begins.
  void clear() {
    for (Clocks& clocks : known_) std::fill(clocks.begin(), clocks.end(), 0);
    std::fill(met_.begin(), met_.end(), 0);
    arrived_.clear();
    completed_.clear();
  }
  // At the barrier of that name, with all accesses of the warp below the clock.
  void arrived(std::size_t warp, std::uint64_t barrier, std::uint64_t before) {
    known_[warp][warp] = before;
    join(arrived_[barrier], known_[warp]);
  }
  void completed(std::uint64_t barrier) { completed_[barrier] = arrived_[barrier]; }
  // The warp, which has waited there. latest: above the clocks of all accesses so far.
  void passed(std::size_t warp, std::uint64_t barrier, std::uint64_t latest) {
    join(known_[warp], completed_[barrier]);
    met_[warp] = latest;
  }

  // Clock below which the warp knows the accesses of another one, or of other lanes.
  [[nodiscard]] std::uint64_t known(std::size_t warp, std::size_t other) const { return known_[warp][other]; }
  // Clock of the last barrier that the warp has waited at.
  [[nodiscard]] std::uint64_t met(std::size_t warp) const { return met_[warp]; }

 private:
  using Clocks = std::vector<std::uint64_t>;  // by warp
  static void join(Clocks& into, const Clocks& more) {
    if (into.size() < more.size()) into.resize(more.size());
    for (std::size_t warp = 0; warp < more.size(); ++warp) into[warp] = std::max(into[warp], more[warp]);
  }

  std::vector<Clocks> known_;
  Clocks met_;
  // By barrier: all arrivals so far, and those of completed phases.
  std::unordered_map<std::uint64_t, Clocks> arrived_, completed_;
};

}  // namespace warpmark::simulator
