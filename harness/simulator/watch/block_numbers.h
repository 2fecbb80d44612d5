// The numbers by which cells of global memory name blocks.
//
// A cell has room for 4096 clocks of a block. The clocks behind those belong to further numbers of the same
// block, which begin behind the last block of the grid.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "harness/simulator/memory/shadow_cells.h"

namespace warpmark::simulator {

class BlockNumbers {
 public:
  struct Clocks {
    std::uint64_t block = 0;
    std::uint64_t first = 0;  // since the block's begin
  };

  explicit BlockNumbers(std::uint64_t blocks) : blocks_(blocks) {}

  // For the clocks from that one on. GlobalCell::kUnknownBlock when the numbers are used up.
  std::uint64_t take(std::uint64_t block, std::uint64_t first_clock) {
    const std::lock_guard lock(mutex_);
    if (blocks_ + more_.size() >= GlobalCell::kUnknownBlock) return GlobalCell::kUnknownBlock;
    more_.push_back({block, first_clock});
    return blocks_ + more_.size() - 1;
  }
  [[nodiscard]] Clocks of(std::uint64_t number) {
    if (number < blocks_ || number == GlobalCell::kUnknownBlock) return {number, 0};
    const std::lock_guard lock(mutex_);
    return more_[number - blocks_];
  }

 private:
  std::uint64_t blocks_;
  std::mutex mutex_;
  std::deque<Clocks> more_;
};

}  // namespace warpmark::simulator
