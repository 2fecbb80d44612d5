// Extension of the race detector's shadow cells. A cell that represents several lanes of one warp (readers,
// or atomic updaters) holds a single clock; LaneSets keeps each lane's last access to the word. Needed once
// subsets of a warp synchronise separately (tiles, half warps): then lanes differ in what happened before
// their current accesses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Per lane of a warp: logical clock of the lane's last access to a word, 0 if none.
using LaneClocks = std::array<std::uint64_t, kLanes>;

class LaneSets {
 public:
  struct Key {
    bool shared = false;
    bool writers = false;
    std::size_t at = 0;  // index of the shadow cell that represents several lanes
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
