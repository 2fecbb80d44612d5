#include "harness/simulator/watch/counting.h"

#include <algorithm>
#include <array>
#include <bit>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {
namespace {

using Units = std::array<std::uint32_t, kLanes>;

// Computes for each lane the number of the unit (sector, word, ...) that its address is in, relative to the
// lowest one. Returns false if a result exceeds 32 bits.
bool units_of(const Address* addresses, unsigned shift, Units& units) {
  Address lowest = addresses[0];
  for (unsigned lane = 1; lane < kLanes; ++lane) lowest = std::min(lowest, addresses[lane]);
  lowest >>= shift;
  Address highest = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Address unit = (addresses[lane] >> shift) - lowest;
    highest |= unit;
    units[lane] = static_cast<std::uint32_t>(unit);
  }
  return highest >> 32 == 0;
}

// True if the memory units (sectors, words) that a warp's lanes access do not decrease from lane to lane;
// then equal units are adjacent, and counting distinct ones needs no search.
bool ascending(const Units& units) {
  unsigned down = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane) down += units[lane] < units[lane - 1] ? 1 : 0;
  return down == 0;
}

unsigned changes(const Units& units) {
  unsigned count = 0;
  for (unsigned lane = 1; lane < kLanes; ++lane) count += units[lane] != units[lane - 1] ? 1 : 0;
  return count;
}

// Returns the number of distinct units in the most heavily used shared-memory bank, i.e. the passes that the
// access needs; lanes that access the same unit are served together. banks: number of units per row of all
// banks.
unsigned busiest_bank(const std::uint32_t* units, std::uint32_t active, unsigned banks) {
  std::array<std::uint32_t, kLanes> seen;
  std::array<std::uint8_t, kLanes> units_of_bank{};
  unsigned count = 0;
  unsigned most = 0;
  for (; active != 0; active &= active - 1) {
    const std::uint32_t unit = units[std::countr_zero(active)];
    const auto end = seen.begin() + count;
    // Fast path: a lane that accesses the same shared-memory word as the lane before adds no bank conflict.
    if (count != 0 && seen[count - 1] == unit) continue;
    if (std::find(seen.begin(), end, unit) != end) continue;
    seen[count++] = unit;
    most = std::max<unsigned>(most, ++units_of_bank[unit % banks]);
  }
  return most;
}

// True if each pair of lanes i and i ^ distance accesses the same unit of shared memory, or one of the two is
// inactive.
bool in_pairs(const Units& units, std::uint32_t active, unsigned distance) {
  for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const unsigned partner = lane ^ distance;
    if ((active >> partner & 1) != 0 && units[partner] != units[lane]) return false;
  }
  return true;
}

}  // namespace

unsigned sectors_of(const Address* addresses) {
  static_assert(kSectorBytes == 1U << 5);
  Units units;
  // If the lanes' addresses are more than 2^37 bytes apart (one access to both host and device memory),
  // counts distinct sectors by sorting.
  if (!units_of(addresses, 5, units)) {
    std::array<Address, kLanes> sectors{};
    std::transform(addresses, addresses + kLanes, sectors.begin(), [](Address at) { return at >> 5; });
    std::sort(sectors.begin(), sectors.end());
    return static_cast<unsigned>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
  }
  if (*std::ranges::max_element(units) == 0) return 1;
  if (!ascending(units)) std::sort(units.begin(), units.end());
  return changes(units) + 1;
}

// Shared-memory accesses of up to 4 bytes per lane are served for the whole warp at once, those of 8 or 16
// bytes per half or quarter warp, since all banks together deliver 128 bytes per pass. Two adjacent groups of
// a load are served together if pairs of lanes access the same unit, which halves the bytes needed.
Passes passes_of(const Address* offsets, std::uint32_t mask, unsigned width, bool load) {
  const unsigned unit_bytes = std::max(width, kBankBytes);
  const unsigned banks = kBanks * kBankBytes / unit_bytes;
  Passes passes;
  Units units;
  if (!units_of(offsets, static_cast<unsigned>(std::countr_zero(unit_bytes)), units)) return passes;
  unsigned group_lanes = banks;
  if (load && group_lanes < kLanes && (in_pairs(units, mask, 1) || in_pairs(units, mask, 2)))
    group_lanes *= 2;
  const std::uint32_t group_mask = group_lanes == kLanes ? kAllLanes : (1U << group_lanes) - 1;
  for (unsigned first = 0; first < kLanes; first += group_lanes) {
    const std::uint32_t active = mask >> first & group_mask;
    if (active == 0) continue;
    // Shared-memory words less than one row of banks apart are in distinct banks, so there is no conflict.
    // (An inactive lane holds the address of an active one, possibly of another part of the warp.)
    const auto [lowest, highest] =
        std::minmax_element(units.begin() + first, units.begin() + first + group_lanes);
    const unsigned most = *highest - *lowest < banks ? 1 : busiest_bank(units.data() + first, active, banks);
    passes.wavefronts += most;
    passes.conflicts += most - 1;
  }
  return passes;
}

unsigned repeated_addresses(const Address* addresses, std::uint32_t mask) {
  unsigned repeated = 0;
  for (std::uint32_t rest = mask & (mask - 1); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (unsigned other = 0; other < lane; ++other) {
      if ((mask >> other & 1) != 0 && addresses[other] == addresses[lane]) {
        ++repeated;
        break;
      }
    }
  }
  return repeated;
}

}  // namespace warpmark::simulator
