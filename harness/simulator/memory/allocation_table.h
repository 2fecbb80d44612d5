// The allocations of a device's memory by address, those that were freed apart: a launch looks at the live
// ones, a message about a wrong address at all. Not synchronised.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

class AllocationTable {
 public:
  using ByBegin = std::map<Address, Allocation>;

  void add(Allocation allocation);
  // From the live ones to those that were freed.
  void free(Address begin);
  // The live one that holds all the bytes has changed then (Allocation::changed). Null: none does.
  const Allocation* change(Address address, std::size_t bytes, std::uint64_t when);
  // Its addresses may be used again.
  void forget(Address begin);

  // The live allocation that begins there; null: none. Valid until it is freed or forgotten.
  [[nodiscard]] const Allocation* beginning_at(Address begin) const;
  // The live one that holds all the bytes; null: none.
  [[nodiscard]] const Allocation* holding(Address address, std::size_t bytes) const;
  // The one, live or freed, that begins last at the address or before it; null: none.
  [[nodiscard]] const Allocation* below(Address address) const;
  // The one, live or freed, that holds the address, or else the nearest one within a red zone's reach; null:
  // none.
  [[nodiscard]] const Allocation* nearest(Address address) const;

  [[nodiscard]] const ByBegin& live() const { return live_; }
  [[nodiscard]] const ByBegin& freed() const { return freed_; }

 private:
  ByBegin live_;
  ByBegin freed_;
};

}  // namespace warpmark::simulator
