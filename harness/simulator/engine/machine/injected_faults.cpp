#include "harness/simulator/engine/machine/injected_faults.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpmark::simulator {
namespace {

constexpr unsigned kShuffledBytes = 4;
// The second highest bit of each word changes in any case: of a float it multiplies or divides by at least
// 2^64, of an integer it adds or subtracts 2^30.
constexpr std::uint32_t kAlwaysChanged = 0x4000'4000;

}  // namespace

void InjectedFaults::choose(std::uint32_t pc, std::uint64_t number, bool collective) {
  const auto same = [&](const Chosen& each) { return each.pc == pc && each.collective == collective; };
  auto found = std::ranges::find_if(chosen_, same);
  if (found == chosen_.end())
    found = chosen_.insert(found, {.pc = pc, .collective = collective, .numbers = {}});
  found->numbers.insert(std::ranges::upper_bound(found->numbers, number), number);
  has_chosen_[pc] = true;
}

InjectedFaults::Chosen* InjectedFaults::chosen_at(const Instruction& instruction, bool collective) {
  const auto pc = static_cast<std::uint32_t>(&instruction - program_.code.data());
  if (!has_chosen_[pc]) return nullptr;
  const auto found = std::ranges::find_if(
      chosen_, [&](const Chosen& each) { return each.pc == pc && each.collective == collective; });
  return found == chosen_.end() ? nullptr : &*found;
}

bool InjectedFaults::is_due(Chosen& chosen) {
  const std::uint64_t number = chosen.executed++;
  const bool is_due = chosen.next < chosen.numbers.size() && chosen.numbers[chosen.next] == number;
  while (chosen.next < chosen.numbers.size() && chosen.numbers[chosen.next] == number) ++chosen.next;
  return is_due;
}

void InjectedFaults::execute(Context& context, const Instruction& instruction) {
  Chosen* chosen = chosen_at(instruction, false);
  const bool is_chosen = chosen != nullptr && is_due(*chosen);
  if (context.mask == 0) return;  // its guard holds in no lane: it is counted, but does nothing
  if (!is_chosen) return instruction.handler(context, instruction);
  const auto values = std::ranges::equal_range(program_.values, chosen->pc, {}, &ValueOperand::pc);
  // A stored value is changed for this instruction alone: the register has further uses.
  std::byte* row = nullptr;
  std::vector<std::byte> before;
  for (const ValueOperand& value : values) {
    if (!value.is_source) continue;
    row = context.bases[value.operand & kBaseMask] + (value.operand & ~kBaseMask);
    before.assign(row, row + std::size_t{value.bytes} * kLanes);
    change(context, value.operand, value.bytes);
  }
  instruction.handler(context, instruction);
  std::ranges::copy(before, row);
  for (const ValueOperand& value : values) {
    if (!value.is_source) change(context, value.operand, value.bytes);
  }
}

bool InjectedFaults::is_chosen(const Instruction& collective) {
  Chosen* chosen = chosen_at(collective, true);
  return chosen != nullptr && is_due(*chosen);
}

void InjectedFaults::change_result(const LaneValues& lanes, const Instruction& collective) {
  if (collective.operands[0] == kNoOperand) return;
  change(lanes, collective.operands[0], kShuffledBytes);
}

void InjectedFaults::change(const LaneValues& lanes, Operand operand, unsigned bytes) {
  std::byte* row = lanes.bases[operand & kBaseMask] + (operand & ~kBaseMask);
  for (std::uint32_t rest = lanes.mask; rest != 0; rest &= rest - 1) {
    std::byte* value = row + std::size_t{bytes} * static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned at = 0; at < bytes; at += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      const std::size_t width = std::min<std::size_t>(sizeof word, bytes - at);
      std::memcpy(&word, value + at, width);
      word ^= static_cast<std::uint32_t>(random_.next()) | kAlwaysChanged;
      std::memcpy(value + at, &word, width);
    }
  }
}

}  // namespace warpmark::simulator
