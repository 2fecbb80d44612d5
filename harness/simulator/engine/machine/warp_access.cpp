#include "harness/simulator/engine/machine/warp_access.h"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "harness/simulator/engine/machine/memory_names.h"

namespace warpmark::simulator {
namespace {

// Largest distance in elements between an access and the array: a wrapped 32-bit index reaches 2^32.
constexpr std::int64_t kFarthest = std::int64_t{1} << 34;
// Base of `phase`: a multiple of both a sector and a row of banks.
constexpr std::uint64_t kRow = 128;

// An array of the source: its name, where its element 0 is, and the range of its elements relative to it.
struct Array {
  std::string name;
  std::int64_t begin = 0;
  std::int64_t element = 1;  // bytes per element
  std::int64_t first = 0;    // index of the first element; negative if `begin` is inside of an allocation
  std::int64_t count = 0;
};

Array array_at(const LaunchState& launch, std::int64_t offset, unsigned width) {
  const SharedArray found = shared_array(launch, offset);
  const auto element = static_cast<std::int64_t>(std::clamp<std::size_t>(found.element, 1, width));
  return {found.name, found.begin, element, 0, static_cast<std::int64_t>(found.bytes) / element};
}

Array array_at(const LaunchState& launch, Address address, unsigned width) {
  const AllocationView* view = allocation_below(launch, address);
  if (view == nullptr || address - view->allocation.begin >= view->allocation.bytes)
    view = nearest_allocation(launch, address);
  if (view == nullptr) return {};
  const Allocation& allocation = view->allocation;
  const NamedPointer* pointer = pointer_into(launch, allocation, address);
  if (pointer == nullptr)
    return {name_of_allocation(allocation), static_cast<std::int64_t>(allocation.begin), width, 0,
            static_cast<std::int64_t>(allocation.bytes / width)};
  const auto element = static_cast<std::int64_t>(std::clamp<std::size_t>(pointer->element, 1, width));
  return {pointer->name, static_cast<std::int64_t>(pointer->value), element,
          -static_cast<std::int64_t>(pointer->value - allocation.begin) / element,
          static_cast<std::int64_t>(allocation.bytes) / element};
}

// Returns an index, rounded down where it lies below 0.
std::int64_t index_of(std::int64_t bytes, std::int64_t element) {
  return bytes >= 0 ? bytes / element : -((-bytes + element - 1) / element);
}

}  // namespace

WarpAccess warp_access_of(const Block& block, const Warp& warp, const Instruction& instruction, Access access,
                          bool shared, std::uint32_t mask, const Address* addresses, unsigned lane) {
  const LaunchState& launch = block.launch();
  const unsigned width = instruction.width;
  const Array array = shared ? array_at(launch, static_cast<std::int64_t>(addresses[lane]), width)
                             : array_at(launch, addresses[lane], width);
  WarpAccess seen{.array = array.name,
                  .block = block.block_name(),
                  .line = static_cast<int>(block.location(instruction).line),
                  .writes = access != Access::read,
                  .shared = shared,
                  .bytes = static_cast<std::uint64_t>(array.element),
                  .each = std::max<std::uint64_t>(1, width / static_cast<std::uint64_t>(array.element)),
                  .elements = static_cast<std::uint64_t>(array.count)};
  std::array<std::int64_t, kLanes> indices{};
  std::int64_t lowest = array.first;
  std::uint32_t near = 0;
  for (std::uint32_t rest = mask; rest != 0 && array.count > 0; rest &= rest - 1) {
    const auto each = static_cast<unsigned>(std::countr_zero(rest));
    indices[each] = index_of(static_cast<std::int64_t>(addresses[each]) - array.begin, array.element);
    if (indices[each] < -kFarthest || indices[each] > kFarthest) continue;
    lowest = std::min(lowest, indices[each]);
    near |= 1U << each;
  }
  seen.before = static_cast<std::uint64_t>(-lowest);
  seen.first = static_cast<std::uint64_t>(array.first - lowest);
  seen.phase = static_cast<std::uint64_t>(array.begin) % kRow;
  for (std::uint32_t rest = near; rest != 0; rest &= rest - 1) {
    const auto each = static_cast<unsigned>(std::countr_zero(rest));
    const Dim3 at = block.thread_index(warp, each);
    seen.threads.push_back(fmt::format("({},{},{})", at.x, at.y, at.z));
    seen.positions.push_back(static_cast<std::uint64_t>(indices[each] - lowest));
  }
  const std::uint32_t side_by_side = near == 0 ? 0 : near >> std::countr_zero(near);
  const bool in_a_row = near != 0 && (side_by_side & (side_by_side + 1)) == 0 &&
                        launch.block.y * launch.block.z * launch.grid.y * launch.grid.z == 1;
  if (in_a_row)
    seen.number = std::uint64_t{block.index().x} * launch.block.x + warp.number() * kLanes +
                  static_cast<unsigned>(std::countr_zero(near));
  return seen;
}

std::optional<WarpAccess> warp_access_of(const Context& context, const Instruction& instruction,
                                         Access access, unsigned lane) {
  const auto offset = [&](Address window) { return context.addresses[lane] - window + kWindowReach; };
  const bool generic = instruction.space == ptx::Space::none;
  constexpr Address kReach = kWindowBytes + kWindowReach;
  if (instruction.space == ptx::Space::local || instruction.space == ptx::Space::param ||
      (generic && offset(context.local_window) < kReach))
    return std::nullopt;
  const bool windowed = generic && offset(context.shared_window) < kReach;
  auto addresses = context.addresses;
  for (Address& each : addresses) each -= windowed ? context.shared_window : 0;
  return warp_access_of(context.warp->block(), *context.warp, instruction, access,
                        windowed || instruction.space == ptx::Space::shared, context.mask, addresses.data(),
                        lane);
}

}  // namespace warpmark::simulator
