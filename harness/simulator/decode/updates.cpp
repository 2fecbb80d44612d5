#include "harness/simulator/decode/updates.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>

namespace warpmark::simulator {
namespace {

using Kind = ptx::Operand::Kind;

constexpr unsigned kDeepestAddress = 24;  // recursion limit of the comparison of two address computations

// Stores of one source line that a load is compared with: a line of a source has a few, unrolled some dozens.
// Code that was made to cost time has them by the hundred thousand.
constexpr std::size_t kMostStoresOfALine = 256;

bool is_load(const ptx::Instruction& instruction) {
  return instruction.opcode.starts_with("ld.") && instruction.operands.size() == 2;
}

bool is_store(const ptx::Instruction& instruction) {
  return instruction.opcode.starts_with("st.") && instruction.operands.size() == 2;
}

class Addresses {
 public:
  explicit Addresses(const ptx::Function& function) : function_(function) {
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      const ptx::Instruction& instruction = function.body[i];
      if (is_store(instruction) || instruction.operands.empty()) continue;
      const ptx::Operand& first = instruction.operands.front();
      if (first.kind == Kind::reg) ++writers_.try_emplace(first.index, i, 0).first->second.second;
    }
  }

  // True if both addresses are provably equal: computed by the same operations from the same registers and
  // variables. Needed because -O0 code computes an element's address anew for each access.
  [[nodiscard]] bool equal(const ptx::Operand& a, const ptx::Operand& b, unsigned depth = 0) const {
    if (a.kind != b.kind || a.offset != b.offset || a.bits != b.bits) return false;
    if (a.index == b.index) return a.name == b.name;
    const ptx::Instruction* from_a = only_writer(a.index);
    const ptx::Instruction* from_b = only_writer(b.index);
    if (from_a == nullptr || from_b == nullptr || depth == kDeepestAddress) return false;
    const auto& of_a = from_a->operands;
    const auto& of_b = from_b->operands;
    if (from_a->opcode != from_b->opcode || of_a.size() != of_b.size()) return false;
    for (std::size_t i = 1; i < of_a.size(); ++i) {
      if (!equal(of_a[i], of_b[i], depth + 1)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] const ptx::Instruction* only_writer(int index) const {
    const auto found = writers_.find(index);
    const bool one = index >= 0 && found != writers_.end() && found->second.second == 1;
    return one ? &function_.body[found->second.first] : nullptr;
  }

  const ptx::Function& function_;
  // Per PTX register: position of the first instruction that writes it, and the number of such instructions.
  std::map<int, std::pair<std::size_t, std::size_t>> writers_;
};

}  // namespace

std::vector<bool> updates_of(const ptx::Function& function) {
  std::vector<bool> updates(function.body.size());
  using Line = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto line_of = [](const ptx::Instruction& instruction) {
    const ptx::Location& at = instruction.location;
    return Line(at.file, at.line, at.caller);
  };
  std::map<Line, std::vector<const ptx::Operand*>> stores;
  for (const ptx::Instruction& instruction : function.body) {
    if (!is_store(instruction)) continue;
    auto& of_line = stores[line_of(instruction)];
    if (of_line.size() < kMostStoresOfALine) of_line.push_back(&instruction.operands[0]);
  }
  const Addresses addresses(function);
  for (std::size_t i = 0; i < function.body.size(); ++i) {
    const ptx::Instruction& load = function.body[i];
    const auto beside = is_load(load) ? stores.find(line_of(load)) : stores.end();
    if (beside == stores.end()) continue;
    updates[i] = std::any_of(beside->second.begin(), beside->second.end(), [&](const ptx::Operand* address) {
      return addresses.equal(load.operands[1], *address);
    });
  }
  return updates;
}

}  // namespace warpmark::simulator
