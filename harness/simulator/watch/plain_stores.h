// The plain stores behind atomic cells: a thread that sets a word and then updates it atomically leaves one
// cell there, and what other threads do atomically conflicts with the store all the same.
#pragma once

#include <cstddef>
#include <mutex>
#include <unordered_map>

#include "harness/simulator/memory/shadow_cells.h"

namespace warpmark::simulator {

// By words, as the memory's cells number them.
class PlainStores {
 public:
  void keep(std::size_t word, Cell store) {
    const std::lock_guard lock(mutex_);
    if (stores_.size() < kMost || stores_.contains(word)) stores_[word] = store;
  }
  // 0: none.
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
