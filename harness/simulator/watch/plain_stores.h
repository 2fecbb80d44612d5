// Side table of the race detector: plain stores whose shadow cell an atomic update has replaced. After a
// plain store and an atomic update by the same block, the word's cell shows only the atomic, but the plain
// store still races with atomics of other threads.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "harness/simulator/engine/memory/shadow_cells.h"

namespace warpmark::simulator {

// Plain stores that an atomic update has replaced in the shadow cells: maps the index of a word's shadow cell
// to the cell of the plain store. Thread-safe.
class PlainStores {
 public:
  void keep(std::size_t word, Cell store) {
    const std::lock_guard lock(mutex_);
    if (stores_.size() < kMost || stores_.contains(word)) stores_[word] = store;
  }
  // Returns the shadow cell of the plain store to this word, or 0 if there is none.
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
