#include "harness/simulator/engine/memory/space_allocator.h"

#include <algorithm>

namespace warpmark::simulator {
namespace {

constexpr std::size_t kLargestRedZone = std::size_t{1} << 20;
// maximum number of bytes of freed allocations whose pages are kept for reuse
constexpr std::size_t kMostIdleBytes = std::size_t{64} << 20;
constexpr std::size_t kMostTimesTooLarge = 4;

// Unused addresses between two allocations. Allocations in the first half of the address range get the wide
// gap: an index that is wrong by less than 2^32 elements of 16 bytes hits no other allocation. Later ones get
// the narrow gap.
constexpr std::size_t kWideGap = std::size_t{64} << 30;
constexpr std::size_t kGap = std::size_t{1} << 30;

// Returns the red zone size in bytes. Large arrays get wide red zones, because an index past the end is often
// off by a whole stride.
std::size_t red_zone_of(std::size_t bytes) {
  return round_up(std::clamp(bytes / 4, kRedZoneBytes, kLargestRedZone), kAllocationAlignment);
}

}  // namespace

std::optional<SpaceAllocator::Spot> SpaceAllocator::take(std::size_t bytes, std::vector<Address>& forgotten) {
  auto offset = idle(bytes);
  const bool is_used_again = offset.has_value();
  if (!offset) offset = place(bytes, forgotten);
  if (!offset) return std::nullopt;
  const Address begin = address_for(*offset, bytes);
  // A freed allocation's bytes are reused as a whole: a smaller new allocation keeps the old size on record.
  if (is_used_again) {
    by_place_.at(*offset).begin = begin;
  } else {
    by_place_[*offset] = {begin, bytes};
  }
  place_of_[begin] = *offset;
  return Spot{*offset, begin};
}

bool SpaceAllocator::free(Address begin) {
  quarantine_.push_back(begin);
  const std::size_t place = place_of_.at(begin);
  const std::size_t bytes = by_place_.at(place).bytes;
  // If the allocation's address is a fixed distance from its bytes' offset, the bytes cannot be reused while
  // the address is in quarantine: the next allocation at that offset would get the same address.
  const bool is_apart = begin != range_ + 2 * kWindowBytes + place;
  if (!is_apart || idle_bytes_ + bytes > kMostIdleBytes) return false;
  idle_.emplace(bytes, begin);
  idle_bytes_ += bytes;
  return true;
}

std::optional<std::size_t> SpaceAllocator::idle(std::size_t bytes) {
  const auto found = idle_.lower_bound(bytes);
  if (found == idle_.end() || found->first / kMostTimesTooLarge > bytes) return std::nullopt;
  const auto known = place_of_.find(found->second);
  const std::size_t place = known->second;
  // The freed allocation's bytes are in use again; only its address stays in quarantine.
  place_of_.erase(known);
  idle_bytes_ -= found->first;
  idle_.erase(found);
  return place;
}

// When the address range is used up, an allocation's address is a fixed distance from the offset of its
// bytes, so allocations are only as far apart as their bytes.
Address SpaceAllocator::address_for(std::size_t place, std::size_t bytes) {
  const std::size_t first = 2 * kWindowBytes + kDeviceMemoryBytes;
  const std::size_t wide_end = range_bytes_ / 2;
  const std::size_t top_now = std::max(first, apart_top_);
  const std::size_t gap = top_now < wide_end ? kWideGap : kGap;
  const std::size_t need = round_up(bytes, kAllocationAlignment) + gap;
  if (top_now + gap + need > range_bytes_) return range_ + 2 * kWindowBytes + place;
  apart_top_ = top_now + need;
  return range_ + apart_top_ - round_up(bytes, kAllocationAlignment);
}

// Finds a hole with room for the bytes and their red zones between live and quarantined allocations.
std::optional<std::size_t> SpaceAllocator::gap(std::size_t need, std::size_t zone) const {
  std::size_t free_from = 0;
  for (const auto& [begin, taken] : by_place_) {
    if (begin >= free_from + zone + need) return free_from + zone;
    free_from = begin + round_up(taken.bytes, kAllocationAlignment) + red_zone_of(taken.bytes);
  }
  if (free_from + zone + need <= kDeviceMemoryBytes) return free_from + zone;
  return std::nullopt;
}

std::optional<std::size_t> SpaceAllocator::place(std::size_t bytes, std::vector<Address>& forgotten) {
  const std::size_t zone = red_zone_of(bytes);
  const std::size_t need = round_up(std::max<std::size_t>(bytes, 1), kAllocationAlignment) + zone;
  if (top_ + zone + need <= kDeviceMemoryBytes) {
    const std::size_t offset = top_ + zone;
    top_ = offset + need;
    return offset;
  }
  while (true) {
    if (auto offset = gap(need, zone)) return offset;
    if (quarantine_.empty()) return std::nullopt;
    const Address oldest = quarantine_.front();
    quarantine_.pop_front();
    forgotten.push_back(oldest);
    const auto known = place_of_.find(oldest);
    if (known == place_of_.end()) continue;  // a newer allocation already reuses the freed bytes
    const std::size_t freed = by_place_.at(known->second).bytes;
    const auto [first, last] = idle_.equal_range(freed);
    const auto kept = std::find_if(first, last, [&](const auto& each) { return each.second == oldest; });
    if (kept != last) {
      idle_bytes_ -= freed;
      idle_.erase(kept);
    }
    by_place_.erase(known->second);
    place_of_.erase(known);
  }
}

}  // namespace warpmark::simulator
