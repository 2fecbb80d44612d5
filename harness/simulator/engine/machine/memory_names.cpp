#include "harness/simulator/engine/machine/memory_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace warpmark::simulator {
namespace {

// An access at most this many bytes before an allocation is probably one to that allocation with a negative
// index.
constexpr Address kJustBefore = 128;
// Factor by which the distance to an allocation behind the accessed address counts more than one to an
// allocation before it, because negative indices are rarer than too large ones.
constexpr Address kUnlikely = 16;
// From this distance in bytes on, a negative index is as likely as a too large one: only an index that has
// wrapped around reaches so far.
constexpr Address kFar = Address{1} << 30;
// Maximum distance in bytes between an access and the pointer that it presumably used, if that points into no
// allocation.
constexpr Address kStrayReach = Address{1} << 20;

}  // namespace

const AllocationView* allocation_below(const LaunchState& launch, Address address) {
  const AllocationView* live = last_at_or_before(launch.allocations, address);
  if (live != nullptr && address - live->allocation.begin < live->allocation.bytes) return live;
  const AllocationView* block = launch.heap == nullptr ? nullptr : launch.heap->below(address);
  if (block != nullptr) return block;
  const AllocationView* freed = launch.freed.below(launch.memory, address);
  if (live == nullptr || freed == nullptr) return live == nullptr ? freed : live;
  return freed->allocation.begin > live->allocation.begin ? freed : live;
}

Address distance(const Allocation& allocation, Address address) {
  if (address < allocation.begin) return allocation.begin - address;
  return address - std::min(address, allocation.begin + allocation.bytes);
}

const AllocationView* nearest_allocation(const LaunchState& launch, Address address) {
  const AllocationView* best = nullptr;
  const bool on_device = launch.memory.in_range(address);
  const auto cost = [&](const Allocation& allocation) {
    const Address away = distance(allocation, address);
    const bool unlikely = address < allocation.begin && away > kJustBefore && away < kFar;
    return unlikely ? away * kUnlikely : away;
  };
  if (const AllocationView* block = launch.heap == nullptr ? nullptr : launch.heap->below(address))
    return block;
  for (const auto* views : {&launch.allocations, &launch.freed.all(launch.memory)}) {
    for (const AllocationView& view : *views) {
      if (launch.memory.in_range(view.allocation.begin) != on_device) continue;
      if (best == nullptr || cost(view.allocation) < cost(best->allocation)) best = &view;
    }
  }
  return best;
}

std::string bytes_from(std::int64_t offset, std::size_t size, unsigned width, std::string_view what) {
  const std::int64_t end = static_cast<std::int64_t>(size);
  std::string relation;
  if (offset < 0) {
    relation = fmt::format("{} bytes before the start of {}", -offset, what);
  } else if (offset >= end) {
    relation = offset == end ? fmt::format("just past the end of {}", what)
                             : fmt::format("{} bytes past the end of {}", offset - end, what);
  } else {
    relation = fmt::format("across the end of {}", what);
  }
  const std::int64_t element = offset / static_cast<std::int64_t>(width);
  if (offset % static_cast<std::int64_t>(width) == 0 && !unwrapped(element) && !overflowed(element)) {
    relation +=
        fmt::format(", i.e. element {} of {} when read as {}-byte values", element, size / width, width);
  }
  return relation;
}

namespace {

// Maximum distance from 2^32 (or 2^31) at which an out-of-bounds index is still attributed to integer
// wrap-around.
constexpr std::int64_t kWrapReach = std::int64_t{1} << 30;

}  // namespace

std::optional<std::int64_t> unwrapped(std::int64_t index) {
  constexpr std::int64_t kRound = std::int64_t{1} << 32;
  if (index >= kRound - kWrapReach && index < kRound) return index - kRound;
  return std::nullopt;
}

bool overflowed(std::int64_t index) {
  constexpr std::int64_t kLeast = -(std::int64_t{1} << 31);
  return index >= kLeast && index < kLeast + kWrapReach;
}

std::string name_of_allocation(const Allocation& allocation) {
  if (allocation.kind == Allocation::Kind::heap)
    return fmt::format("a {}-byte block of the device heap from {}", allocation.bytes, allocation.name);
  if (!allocation.name.empty())
    return fmt::format("the {}-byte variable {}", allocation.bytes, allocation.name);
  const bool host = allocation.kind == Allocation::Kind::host_pinned;
  const bool managed = allocation.kind == Allocation::Kind::managed;
  return fmt::format("a {}-byte {}allocation", allocation.bytes,
                     host      ? "pinned host "
                     : managed ? "managed "
                               : "");
}

const NamedPointer* pointer_into(const LaunchState& launch, const Allocation& allocation, Address address) {
  const NamedPointer* best = nullptr;
  for (const NamedPointer& pointer : launch.pointers) {
    if (pointer.value - allocation.begin > allocation.bytes) continue;
    const bool before = pointer.value <= address;
    if (best == nullptr || (before && (best->value > address || pointer.value > best->value)))
      best = &pointer;
  }
  return best;
}

const NamedPointer* stray_pointer(const LaunchState& launch, Address address) {
  const NamedPointer* best = nullptr;
  for (const NamedPointer& pointer : launch.pointers) {
    if (pointer.value > address || address - pointer.value > kStrayReach) continue;
    const AllocationView* below = allocation_below(launch, pointer.value);
    if (below != nullptr && distance(below->allocation, pointer.value) == 0) continue;
    if (best == nullptr || pointer.value > best->value) best = &pointer;
  }
  return best;
}

std::int64_t index_from(const NamedPointer& pointer, Address address, unsigned width) {
  const auto size = static_cast<std::int64_t>(pointer.element != 0 ? pointer.element : width);
  const auto bytes = static_cast<std::int64_t>(address - pointer.value);
  return bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
}

SharedArray shared_array(const LaunchState& launch, std::int64_t offset) {
  SharedArray best;
  for (const SharedVariable& variable : launch.kernel.shared) {
    const bool dynamic = variable.bytes == 0;
    const auto begin = static_cast<std::int64_t>(dynamic ? launch.dynamic_shared_offset : variable.offset);
    if (begin >= static_cast<std::int64_t>(launch.shared_bytes) && !dynamic) continue;
    const std::size_t given =
        launch.shared_bytes - std::min(launch.shared_bytes, launch.dynamic_shared_offset);
    const std::size_t bytes = dynamic ? given : variable.bytes;
    // Shared arrays are laid out in order: the one that an offset in shared memory belongs to is the last
    // that begins at or before it; if there is none, the first after it.
    const bool nearer = begin <= offset ? best.begin > offset || begin >= best.begin
                                        : best.begin > offset && begin < best.begin;
    if (!best.name.empty() && !nearer) continue;
    best = {variable.name, begin, bytes, std::max<std::size_t>(1, variable.element), dynamic};
  }
  return best;
}

std::string shared_relation(const LaunchState& launch, std::int64_t offset, unsigned width) {
  const SharedArray array = shared_array(launch, offset);
  if (array.name.empty())
    return fmt::format("outside shared memory, of which the block has {} bytes", launch.shared_bytes);
  return bytes_from(offset - array.begin, array.bytes, width,
                    fmt::format("the {}-byte shared array {}", array.bytes, array.name));
}

MemoryName name_of_shared(const LaunchState& launch, std::int64_t offset, unsigned width) {
  const SharedArray array = shared_array(launch, offset);
  const std::int64_t inside = offset - array.begin;
  if (array.name.empty() || inside < 0 || inside + width > static_cast<std::int64_t>(array.bytes))
    return {array.name, shared_relation(launch, offset, width)};
  // Element size for the printed index: that of the source type, but at most the access width (a vector
  // access spans several elements of an unknown type).
  const auto element = static_cast<std::int64_t>(std::min<std::size_t>(array.element, width));
  return {array.name, fmt::format("{}[{}]", array.name, inside / element)};
}

MemoryName name_of_global(const LaunchState& launch, Address address, unsigned width) {
  const AllocationView* below = allocation_below(launch, address);
  if (below == nullptr) return {{}, "memory outside every allocation"};
  const Allocation& allocation = below->allocation;
  if (const NamedPointer* pointer = pointer_into(launch, allocation, address))
    return {pointer->name, fmt::format("{}[{}]", pointer->name, index_from(*pointer, address, width))};
  const Address element = (address - allocation.begin) / width;
  if (allocation.name.empty() || allocation.kind == Allocation::Kind::heap)
    return {name_of_allocation(allocation),
            fmt::format("element {} of {}", element, name_of_allocation(allocation))};
  if (allocation.bytes == width) return {allocation.name, allocation.name};
  return {allocation.name, fmt::format("{}[{}]", allocation.name, element)};
}

}  // namespace warpmark::simulator
