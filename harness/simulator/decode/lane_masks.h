// The masks by which instructions name lanes of a warp. Where all of them name the whole warp, lanes never
// meet apart. -O0 code takes a mask by way of the stack.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

class LaneMasks {
 public:
  explicit LaneMasks(const ptx::Function& function);

  // Whether it is known that the mask names all lanes.
  [[nodiscard]] bool names_all(const ptx::Operand& mask, unsigned depth = 0) const;

 private:
  using Slot = std::pair<int, std::int64_t>;  // of the stack: register and offset
  [[nodiscard]] bool gives_all(const ptx::Instruction& writer, unsigned depth) const;
  [[nodiscard]] bool is_on_the_stack(const ptx::Operand& address) const;

  const ptx::Function& function_;
  std::map<int, std::vector<const ptx::Instruction*>> writers_;
  std::map<Slot, std::vector<const ptx::Operand*>> stored_;
};

}  // namespace warpmark::simulator
