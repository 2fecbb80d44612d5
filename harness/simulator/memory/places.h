// Where device memory lies: the bytes of its allocations side by side, with red zones between them; their
// addresses far apart, so that an index far out of bounds hits no other. Not synchronised.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "harness/simulator/memory/allocation.h"

namespace warpmark::simulator {

class Places {
 public:
  // range: where the device addresses begin, with the windows of shared and local memory; range_bytes: in
  // all, at least kDeviceMemoryBytes more than the windows.
  Places(Address range, std::size_t range_bytes) : range_(range), range_bytes_(range_bytes) {}

  struct Spot {
    std::size_t place;  // offset of the bytes, a multiple of kAllocationAlignment
    Address begin;
  };
  // Empty when there is no room. Where there is room only in what was freed, the oldest ones give theirs up,
  // and their begins go to `forgotten`.
  std::optional<Spot> take(std::size_t bytes, std::vector<Address>& forgotten);
  // In quarantine: the bytes are used again only when all others are.
  void free(Address begin) { quarantine_.push_back(begin); }

 private:
  struct Taken {
    Address begin;
    std::size_t bytes;
  };
  [[nodiscard]] std::optional<std::size_t> gap(std::size_t need, std::size_t zone) const;
  std::optional<std::size_t> place(std::size_t bytes, std::vector<Address>& forgotten);
  Address address_for(std::size_t place, std::size_t bytes);

  Address range_;
  std::size_t range_bytes_;
  std::size_t top_ = 0;        // place behind everything ever handed out
  std::size_t apart_top_ = 0;  // offset in the range behind the last allocation that lies apart
  std::map<std::size_t, Taken> by_place_;
  std::map<Address, std::size_t> place_of_;
  std::deque<Address> quarantine_;  // oldest first
};

}  // namespace warpmark::simulator
