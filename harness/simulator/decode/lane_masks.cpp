#include "harness/simulator/decode/lane_masks.h"

#include <algorithm>
#include <cstddef>

namespace warpmark::simulator {
namespace {

using Kind = ptx::Operand::Kind;

// Maximum number of moves, loads and stores followed from a lane mask back to its constant.
constexpr unsigned kDeepestMask = 12;

}  // namespace

LaneMasks::LaneMasks(const ptx::Function& function) : function_(function) {
  for (const ptx::Instruction& instruction : function.body) {
    const auto& operands = instruction.operands;
    if (instruction.opcode.starts_with("st.") && operands.size() == 2) {
      if (is_on_the_stack(operands[0]))
        stored_[{operands[0].index, operands[0].offset}].push_back(&operands[1]);
    } else if (!operands.empty() && operands.front().kind == Kind::reg) {
      writers_[operands.front().index].push_back(&instruction);
    }
  }
}

bool LaneMasks::is_on_the_stack(const ptx::Operand& address) const {
  if (address.kind != Kind::address || address.index < 0) return false;
  const std::string& base = function_.registers[static_cast<std::size_t>(address.index)].name;
  return base == "%SP" || base == "%SPL";
}

bool LaneMasks::gives_all(const ptx::Instruction& writer, unsigned depth) const {
  if (writer.operands.size() != 2) return false;
  const ptx::Operand& from = writer.operands[1];
  if (writer.opcode.starts_with("mov.")) return names_all(from, depth + 1);
  if (!writer.opcode.starts_with("ld.") || !is_on_the_stack(from)) return false;
  const auto stored = stored_.find({from.index, from.offset});
  return stored != stored_.end() && std::ranges::all_of(stored->second, [&](const ptx::Operand* value) {
           return names_all(*value, depth + 1);
         });
}

bool LaneMasks::names_all(const ptx::Operand& mask, unsigned depth) const {
  constexpr std::uint64_t kAll = 0xFFFFFFFF;
  if (mask.kind == Kind::integer) return (mask.bits & kAll) == kAll;
  if (mask.kind != Kind::reg || depth == kDeepestMask) return false;
  const auto writers = writers_.find(mask.index);
  return writers != writers_.end() &&
         std::ranges::all_of(writers->second, [&](const auto* writer) { return gives_all(*writer, depth); });
}

}  // namespace warpmark::simulator
