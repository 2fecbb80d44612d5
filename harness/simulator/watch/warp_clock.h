// What the lanes of a warp know of each other's accesses.
//
// A warp has one clock, with which it stamps its accesses; it moves on when lanes synchronise. Lanes that do
// so all together know all that any of them did before. Where only some do, as halves and tiles of a warp,
// what each lane knows of each other one is kept.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "harness/simulator/code/program.h"

namespace warpmark::simulator {

class WarpClock {
 public:
  [[nodiscard]] std::uint64_t now() const { return now_; }
  void set_now(std::uint64_t now) { now_ = now; }

  // Lanes that a mask names meet at a clock.
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
  // Clock below which all lanes know each other's accesses.
  [[nodiscard]] std::uint64_t of_all() const { return all_; }
  // Clock below which a lane knows another one's.
  [[nodiscard]] std::uint64_t known(unsigned lane, unsigned other) const {
    return pairs_ == nullptr ? all_ : std::max(all_, (*pairs_)[lane][other]);
  }
  // Whether each lane knows the same of all that is not below the clock.
  [[nodiscard]] bool alike(std::uint64_t clock) const { return apart_ <= std::max(all_, clock); }
  // The lane's last synchronisation with any other.
  [[nodiscard]] std::uint64_t last(unsigned lane) const { return last_[lane]; }

 private:
  using Pairs = std::array<std::array<std::uint64_t, kLanes>, kLanes>;

  // Each gets to know what any of them knows.
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
  std::uint64_t apart_ = 0;  // when lanes last met alone
  std::array<std::uint64_t, kLanes> last_{};
  std::unique_ptr<Pairs> pairs_;  // null: no lanes have met alone
};

}  // namespace warpmark::simulator
