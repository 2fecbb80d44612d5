// Plain stores that an atomic update has overwritten in the shadow. A thread that stores to a word and then
// updates it atomically leaves a single cell, but other threads' atomic operations still race with the store.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "harness/simulator/engine/memory/shadow_cells.h"

namespace warpmark::simulator {

// Thread-safe. A word is identified by the index of its shadow cell.
class PlainStores {
 public:
  void keep(std::size_t word, Cell store) {
    const std::lock_guard lock(mutex_);
    if (stores_.size() < kMost || stores_.contains(word)) stores_[word] = store;
  }
  // Returns 0 if there is no such store.
  [[nodiscard]] Cell at(std::size_t word) const {
    const std::lock_guard lock(mutex_);
    const auto found = stores_.find(word);
    return found == stores_.end() ? 0 : found->second;
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  mutable std::mutex mutex_;
  std::unordered_map<std::size_t, Cell> stores_;
};

}  // namespace warpmark::simulator
