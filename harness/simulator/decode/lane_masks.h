// Finds member masks (of __syncwarp, shuffles, ...) that provably contain all 32 lanes. If all masks do,
// subsets of a warp never synchronise separately, which makes race detection cheaper. -O0 code keeps masks on
// the stack, so stores to the stack are followed.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

class LaneMasks {
 public:
  explicit LaneMasks(const ptx::Function& function);

  // True if the member mask of a warp-wide instruction provably contains all 32 lanes.
  [[nodiscard]] bool names_all(const ptx::Operand& mask, unsigned depth = 0) const;

 private:
  using Slot = std::pair<int, std::int64_t>;  // stack location: address register and byte offset
  [[nodiscard]] bool gives_all(const ptx::Instruction& writer, unsigned depth) const;
  [[nodiscard]] bool is_on_the_stack(const ptx::Operand& address) const;

  const ptx::Function& function_;
  std::map<int, std::vector<const ptx::Instruction*>> writers_;
  std::map<Slot, std::vector<const ptx::Operand*>> stored_;
};

}  // namespace warpmark::simulator
