// Block numbers stored in the shadow cells of global memory.
//
// A cell's clock field holds 4096 values. When a block's clock exceeds them, the block continues under an
// additional number, allocated from the numbers above the grid's last block.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>

#include "harness/simulator/engine/memory/shadow_cells.h"

namespace warpmark::simulator {

class BlockNumbers {
 public:
  struct Clocks {
    std::uint64_t block = 0;
    // block's clock, counted from its start, at which this number's clock field is 0
    std::uint64_t first = 0;
  };

  explicit BlockNumbers(std::uint64_t blocks) : blocks_(blocks) {}

  // Allocates a number for the block's clocks from first_clock on. Returns GlobalCell::kUnknownBlock if none
  // is left.
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
