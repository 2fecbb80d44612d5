// Assigns the block numbers that the race detector stores in the shadow cells of global memory.
//
// A shadow cell's clock field has 12 bits. When a block's logical clock exceeds 4095, the block gets a
// further number, above the linear index of the grid's last block, and its clock field restarts at 0.
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
    // Offset of a shadow cell's clock field: the logical clock, counted from the block's start, that cells
    // with this block number encode as 0. It is above 0 for the further numbers that a block gets when the
    // field overflows.
    std::uint64_t first = 0;
  };

  explicit BlockNumbers(std::uint64_t blocks) : blocks_(blocks) {}

  // Allocates a further number for the block, valid for clocks from first_clock on. Returns
  // GlobalCell::kUnknownBlock if all numbers are used.
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
