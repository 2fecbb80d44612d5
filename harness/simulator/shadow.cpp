#include "harness/simulator/shadow.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/block.h"

namespace warpmark::simulator {

void BlockShadow::touch(const Context& context, const Touch& touch) {
  if (touch.access == Access::write && (touch.mask & (touch.mask - 1)) != 0)
    find_same_word_stores(context, touch);
}

void BlockShadow::find_same_word_stores(const Context& context, const Touch& touch) {
  std::array<std::pair<Address, unsigned>, kLanes> sorted;
  std::size_t count = 0;
  bool ascending = true;
  for (std::uint32_t rest = touch.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const Address address = touch.addresses[lane];
    ascending = ascending && (count == 0 || sorted[count - 1].first + touch.width <= address);
    sorted[count++] = {address, lane};
  }
  if (ascending) return;
  std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t i = 1; i < count; ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    report(
        Finding::Kind::same_word_store, touch, 0,
        fmt::format("{} and {} of {} store to the same address in one instruction; which value stays is not "
                    "defined: let one thread store, or use an atomic operation",
                    block_.thread_name(*context.warp, sorted[i - 1].second),
                    block_.thread_name(*context.warp, sorted[i].second), block_.block_name()));
    return;
  }
}

void BlockShadow::report(Finding::Kind kind, const Touch& touch, std::uint32_t other_location,
                         std::string message) {
  const std::uint32_t location = touch.instruction.location;
  if (!reported_.insert({kind, location, other_location}).second) return;
  Finding finding{.kind = kind,
                  .kernel = block_.launch().kernel.display_name,
                  .file = {},
                  .line = 0,
                  .other_line = 0,
                  .message = std::move(message)};
  block_.set_place(finding, block_.location(touch.instruction));
  block_.launch().log.add(std::move(finding), block_.position());
}

}  // namespace warpmark::simulator
