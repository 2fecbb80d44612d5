#include "harness/simulator/engine/memory/allocation_table.h"

#include <initializer_list>
#include <iterator>
#include <utility>

namespace warpmark::simulator {
namespace {

// Returns the allocation with the highest start at or below the address in a std::map keyed by start address,
// or null if there is none.
template <class Table>
auto last_at_or_before(Table& table, Address address) -> decltype(&table.begin()->second) {
  const auto next = table.upper_bound(address);
  return next == table.begin() ? nullptr : &std::prev(next)->second;
}
template <class Table>
auto holding_in(Table& table, Address address, std::size_t bytes) -> decltype(&table.begin()->second) {
  auto* allocation = last_at_or_before(table, address);
  if (allocation == nullptr) return nullptr;
  const std::size_t offset = address - allocation->begin;
  const bool inside = offset <= allocation->bytes && bytes <= allocation->bytes - offset;
  return inside ? allocation : nullptr;
}

}  // namespace

void AllocationTable::add(Allocation allocation) {
  const Address begin = allocation.begin;
  live_.insert_or_assign(begin, std::move(allocation));
}

void AllocationTable::free(Address begin) {
  auto node = live_.extract(begin);
  if (!node) return;
  node.mapped().freed = true;
  freed_.erase(begin);
  freed_.insert(std::move(node));
}

const Allocation* AllocationTable::change(Address address, std::size_t bytes, std::uint64_t when) {
  Allocation* allocation = holding_in(live_, address, bytes);
  if (allocation != nullptr) allocation->changed = when;
  return allocation;
}

void AllocationTable::forget(Address begin) {
  live_.erase(begin);
  freed_.erase(begin);
}

const Allocation* AllocationTable::beginning_at(Address begin) const {
  const auto found = live_.find(begin);
  return found == live_.end() ? nullptr : &found->second;
}

const Allocation* AllocationTable::holding(Address address, std::size_t bytes) const {
  return holding_in(live_, address, bytes);
}

const Allocation* AllocationTable::below(Address address) const {
  const Allocation* live = last_at_or_before(live_, address);
  const Allocation* freed = last_at_or_before(freed_, address);
  if (live == nullptr || freed == nullptr) return live == nullptr ? freed : live;
  return freed->begin > live->begin ? freed : live;
}

const Allocation* AllocationTable::nearest(Address address) const {
  const Allocation* best = nullptr;
  std::size_t distance = kRedZoneBytes + 1;
  if (const Allocation* known = below(address)) {
    const Address end = known->begin + known->bytes;
    const std::size_t past = address < end ? 0 : address - end + 1;
    if (past < distance) {
      distance = past;
      best = known;
    }
  }
  for (const ByBegin* table : {&live_, &freed_}) {
    const auto above = table->upper_bound(address);
    if (above == table->end() || above->first - address >= distance) continue;
    distance = above->first - address;
    best = &above->second;
  }
  return best;
}

}  // namespace warpmark::simulator
