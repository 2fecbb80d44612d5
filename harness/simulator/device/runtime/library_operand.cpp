#include "harness/simulator/device/runtime/library_operand.h"

#include <climits>

#include <fmt/format.h>

namespace warpmark::simulator {

bool is_sound(const WarpmarkOperand& operand, long long problems) {
  constexpr long long kMostElements = 1LL << 28;
  constexpr long long kMostBytes = 1LL << 40;
  const auto within = [](long long value, long long least, long long most) {
    return value >= least && value <= most;
  };
  long long elements = 1;
  for (const auto& [count, apart] : dimensions_of(operand)) {
    if (!within(count, 0, INT_MAX) || !within(apart, 0, kMostElements / std::max(count, 1LL)) ||
        elements > kMostElements / std::max(count, 1LL))
      return false;
    elements *= std::max(count, 1LL);
  }
  if (warpmark_uses_all(&operand) == 0 &&
      (operand.step != 1 || operand.outer[0] != 1 || operand.outer[1] != 1 ||
       (operand.storage == 'P' && operand.rows != operand.columns)))
    return false;
  return operand.leading >= 1 && within(operand.below, -1, INT_MAX) && within(operand.above, -1, INT_MAX) &&
         operand.factor <= WARPMARK_MOST_OPERANDS && within(operand.element, 1, 16) &&
         within(operand.stride, 0, kMostBytes / std::max(problems, 1LL));
}

std::size_t extent_of(const WarpmarkOperand& operand) {
  std::size_t extent = 0;
  for_each_run(operand,
               [&](std::size_t offset, std::size_t bytes) { extent = std::max(extent, offset + bytes); });
  return extent;
}

std::string describe(const WarpmarkOperand& operand) {
  std::string text = fmt::format("{} x {}", operand.rows, operand.columns);
  for (const long long count : operand.outer) {
    if (count != 1) text += fmt::format(" x {}", count);
  }
  text += fmt::format(" elements of {} bytes", operand.element);
  if (operand.columns > 1) text += fmt::format(", {} from one column to the next", operand.leading);
  return text;
}

}  // namespace warpmark::simulator
