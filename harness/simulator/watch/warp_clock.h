// Vector clocks of a warp, for the race detector: which accesses of its lanes happened before a lane's
// current access.
//
// A warp has one logical clock, which stamps its accesses and advances when lanes synchronise. When all lanes
// synchronise, every earlier access happened before every later one. When only a subset does (tiles, half
// warps), a 32 x 32 matrix holds the clock up to which each lane has acquired the accesses of each other
// lane.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

class WarpClock {
 public:
  [[nodiscard]] std::uint64_t now() const { return now_; }
  void set_now(std::uint64_t now) { now_ = now; }

  // Records that some lanes of a warp synchronise with each other when the warp's logical clock is `at`.
  void synchronise(std::uint32_t lanes, std::uint64_t at) {
    if (lanes == kAllLanes) {
      all_ = at;
    } else {
      meet(lanes, at);
      apart_ = at;
    }
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      last_[static_cast<unsigned>(std::countr_zero(rest))] = at;
  }
  // Returns a clock: accesses of any lane below it happened before the current access of every lane.
  [[nodiscard]] std::uint64_t of_all() const { return all_; }
  // Returns a clock: accesses of lane `other` below it happened before the current access of lane `lane`.
  [[nodiscard]] std::uint64_t known(unsigned lane, unsigned other) const {
    return pairs_ == nullptr ? all_ : std::max(all_, (*pairs_)[lane][other]);
  }
  // True if all lanes of a warp have acquired the same accesses from each other. Accesses below `clock` are
  // known to all lanes already, by a block barrier.
  [[nodiscard]] bool alike(std::uint64_t clock) const { return apart_ <= std::max(all_, clock); }
  // Returns the clock at which the lane last synchronised with any other lane.
  [[nodiscard]] std::uint64_t last(unsigned lane) const { return last_[lane]; }

 private:
  using Pairs = std::array<std::array<std::uint64_t, kLanes>, kLanes>;

  // Updates the clocks of lanes that synchronise within their warp: each acquires what any of them has
  // acquired.
  void meet(std::uint32_t lanes, std::uint64_t at) {
    if (pairs_ == nullptr) pairs_ = std::make_unique<Pairs>();
    std::array<std::uint64_t, kLanes> together{};
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto& one = (*pairs_)[static_cast<unsigned>(std::countr_zero(rest))];
      for (unsigned other = 0; other < kLanes; ++other)
        together[other] = std::max(together[other], one[other]);
    }
    for (unsigned other = 0; other < kLanes; ++other)
      together[other] = (lanes >> other & 1) != 0 ? at : together[other];
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      (*pairs_)[static_cast<unsigned>(std::countr_zero(rest))] = together;
  }

  std::uint64_t now_ = 0;
  std::uint64_t all_ = 0;
  std::uint64_t apart_ = 0;  // clock at which a proper subset of the warp's lanes last synchronised
  std::array<std::uint64_t, kLanes> last_{};
  // clocks up to which each lane has acquired each other lane's accesses; null until a subset of lanes
  // synchronises
  std::unique_ptr<Pairs> pairs_;
};

}  // namespace warpmark::simulator
