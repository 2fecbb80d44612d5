// The simulated devices' allocations, sorted by address. Freed allocations are kept in a map of their own: a
// launch needs only live ones, the diagnosis of a bad address needs both. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

class AllocationTable {
 public:
  using ByBegin = std::map<Address, Allocation>;

  void add(Allocation allocation);
  // Marks the live allocation that begins at the address as freed, and keeps it for diagnoses.
  void free(Address begin);
  // Sets Allocation::changed to `when` in the live allocation that contains the whole range, and returns that
  // allocation; null if none contains the range.
  const Allocation* change(Address address, std::size_t bytes, std::uint64_t when);
  // Drops the allocation, live or freed, so that its addresses may be reused.
  void forget(Address begin);

  // Returns the live allocation that begins at the address, or null. The pointer is valid until free() or
  // forget() of that allocation.
  [[nodiscard]] const Allocation* beginning_at(Address begin) const;
  // Returns the live allocation that contains the whole range, or null.
  [[nodiscard]] const Allocation* holding(Address address, std::size_t bytes) const;
  // Returns the live or freed allocation with the highest start at or below the address, or null.
  [[nodiscard]] const Allocation* below(Address address) const;
  // Returns the live or freed allocation that contains the address, else the nearest one within
  // kRedZoneBytes, or null.
  [[nodiscard]] const Allocation* nearest(Address address) const;

  [[nodiscard]] const ByBegin& live() const { return live_; }
  [[nodiscard]] const ByBegin& freed() const { return freed_; }

 private:
  ByBegin live_;
  ByBegin freed_;
};

}  // namespace warpmark::simulator
