// A device's allocations by address. Live and freed ones are kept apart: a launch needs the live ones only,
// the diagnosis of a wrong address needs both. Not synchronised.
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
  // Moves a live allocation to the freed ones.
  void free(Address begin);
  // Sets Allocation::changed to `when` in the live allocation that contains all the bytes, and returns it;
  // null if none does.
  const Allocation* change(Address address, std::size_t bytes, std::uint64_t when);
  // Drops the allocation, live or freed, so that its addresses may be used again.
  void forget(Address begin);

  // Returns the live allocation that begins there, or null. The pointer is valid until it is freed or
  // forgotten.
  [[nodiscard]] const Allocation* beginning_at(Address begin) const;
  // Returns the live allocation that contains all the bytes, or null.
  [[nodiscard]] const Allocation* holding(Address address, std::size_t bytes) const;
  // Returns the allocation, live or freed, with the highest start at or below the address, or null.
  [[nodiscard]] const Allocation* below(Address address) const;
  // Returns the allocation, live or freed, that contains the address, else the nearest one within
  // kRedZoneBytes, or null.
  [[nodiscard]] const Allocation* nearest(Address address) const;

  [[nodiscard]] const ByBegin& live() const { return live_; }
  [[nodiscard]] const ByBegin& freed() const { return freed_; }

 private:
  ByBegin live_;
  ByBegin freed_;
};

}  // namespace warpmark::simulator
