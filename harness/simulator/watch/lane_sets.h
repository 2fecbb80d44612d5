// For a shadow cell that represents several lanes of one warp (readers, or atomic updates), keeps each lane's
// last access. Needed once subsets of a warp synchronise separately (tiles, halves): the accesses that
// happened before one lane's current access may not have happened before another's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

using LaneClocks = std::array<std::uint64_t, kLanes>;  // clock of each lane's last access; 0 if it has none

class LaneSets {
 public:
  struct Key {
    bool shared = false;
    bool writers = false;
    std::size_t at = 0;  // index of the shadow cell
    std::size_t warp = 0;
    bool operator==(const Key&) const = default;
  };

  void clear() { sets_.clear(); }
  [[nodiscard]] const LaneClocks* find(const Key& key) const {
    const auto found = sets_.find(key);
    return found == sets_.end() ? nullptr : &found->second;
  }
  LaneClocks& begin(const Key& key) { return sets_[key] = {}; }
  LaneClocks& of(const Key& key) { return sets_[key]; }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      const std::size_t flags = (key.shared ? 1U : 0U) | (key.writers ? 2U : 0U);
      return std::hash<std::size_t>{}(key.at << 7 ^ key.warp << 2 ^ flags);
    }
  };
  std::unordered_map<Key, LaneClocks, Hash> sets_;
};

}  // namespace warpmark::simulator
