#include "harness/simulator/decode/array_index.h"

#include <algorithm>
#include <array>
#include <vector>

namespace warpmark::simulator {
namespace {

using Kind = ptx::Operand::Kind;

constexpr std::size_t kMostInstructions = 64;  // from a test to the access

std::string_view mnemonic(const ptx::Instruction& instruction) {
  return std::string_view(instruction.opcode).substr(0, instruction.opcode.find('.'));
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The two registers that hold the address of the function's variables.
bool is_frame(const ptx::Function& function, int index) {
  const std::string& name = function.registers[static_cast<std::size_t>(index)].name;
  return name == "%SP" || name == "%SPL";
}

// Which registers hold addresses that were computed from the frame's. -O0 code writes a register before it is
// read, in the order of the text.
std::vector<bool> registers_into_frame(const ptx::Function& function) {
  std::vector<bool> into_frame(function.registers.size());
  for (const ptx::Instruction& instruction : function.body) {
    if (!is_one_of(mnemonic(instruction), {"add", "sub", "or", "mov", "cvta"})) continue;
    const auto& operands = instruction.operands;
    if (operands.empty() || operands[0].kind != Kind::reg) continue;
    const bool derived = std::any_of(operands.begin() + 1, operands.end(), [&](const ptx::Operand& operand) {
      return operand.kind == Kind::reg &&
             (into_frame[static_cast<std::size_t>(operand.index)] || is_frame(function, operand.index));
    });
    if (derived) into_frame[static_cast<std::size_t>(operands[0].index)] = true;
  }
  return into_frame;
}

// The register that an access takes its address from; that of a plain variable has none.
std::optional<int> address_register(const ptx::Function& function, const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind == Kind::address && operand.index >= 0 && !is_frame(function, operand.index))
      return operand.index;
  }
  return std::nullopt;
}

// setp p, index, bound; @p bra access; bra call: the index.
std::optional<int> tested_register(const ptx::Function& function, std::size_t position) {
  if (position < 3) return std::nullopt;
  const ptx::Instruction* const last = &function.body[position - 1];
  if (mnemonic(*last) != "bra" || last->guard >= 0) return std::nullopt;
  const ptx::Instruction& branch = *(last - 1);
  const ptx::Instruction& test = *(last - 2);
  if (mnemonic(branch) != "bra" || branch.guard < 0 || mnemonic(test) != "setp") return std::nullopt;
  if (test.operands.size() != 3 || test.operands[0].index != branch.guard) return std::nullopt;
  const ptx::Operand& tested = test.operands[1];
  if (tested.kind != Kind::reg ||
      size_of(function.registers[static_cast<std::size_t>(tested.index)].type) != 8)
    return std::nullopt;
  return tested.index;
}

}  // namespace

std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position) {
  const std::vector<bool> into_frame = registers_into_frame(function);
  std::size_t at = position + 1;
  for (std::size_t i = 0; i < kMostInstructions && at < function.body.size(); ++i) {
    const ptx::Instruction& instruction = function.body[at++];
    const std::string_view name = mnemonic(instruction);
    if (name == "bra" && instruction.guard < 0) {
      const auto label = function.labels.find(instruction.operands.at(0).name);
      if (label == function.labels.end()) return std::nullopt;
      at = label->second;
    } else if (is_one_of(name, {"bra", "call", "ret", "exit", "bar"})) {
      return std::nullopt;
    } else if (is_one_of(name, {"ld", "st", "atom", "red"})) {
      const auto address = address_register(function, instruction);
      if (address && into_frame[static_cast<std::size_t>(*address)])
        return FailedIndex{tested_register(function, position)};
    }
  }
  return std::nullopt;
}

}  // namespace warpmark::simulator
