// Hands out the space of device allocations, their bytes and their addresses, and takes freed space back. The
// bytes are packed, with red zones between them; the addresses are far apart, so that an index far out of
// bounds does not hit another allocation. Not synchronised.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "harness/simulator/both/allocation.h"

namespace warpmark::simulator {

class SpaceAllocator {
 public:
  // range: start of the reserved device addresses, which begin with the shared and local windows.
  // range_bytes: size of that range, at least the windows plus kDeviceMemoryBytes.
  SpaceAllocator(Address range, std::size_t range_bytes) : range_(range), range_bytes_(range_bytes) {}

  struct Spot {
    std::size_t place;  // offset of the bytes, a multiple of kAllocationAlignment
    Address begin;
  };
  // Returns nullopt if there is no room. If only quarantined space is left, releases the oldest freed
  // allocations and appends their start addresses to `forgotten`.
  std::optional<Spot> take(std::size_t bytes, std::vector<Address>& forgotten);
  // Puts the allocation's addresses in quarantine: they are reused only when nothing else is left. Returns
  // true if one of the next allocations may get the same bytes under another address, so that their pages are
  // better kept.
  bool free(Address begin);

 private:
  struct Taken {
    Address begin;
    std::size_t bytes;
  };
  // Takes the bytes of a freed allocation that is at least as large, but not many times so.
  std::optional<std::size_t> idle(std::size_t bytes);
  [[nodiscard]] std::optional<std::size_t> gap(std::size_t need, std::size_t zone) const;
  std::optional<std::size_t> place(std::size_t bytes, std::vector<Address>& forgotten);
  Address address_for(std::size_t place, std::size_t bytes);

  Address range_;
  std::size_t range_bytes_;
  std::size_t top_ = 0;        // offset after all bytes ever handed out
  std::size_t apart_top_ = 0;  // range offset after the last allocation that was placed apart
  std::map<std::size_t, Taken> by_place_;
  std::map<Address, std::size_t> place_of_;
  std::deque<Address> quarantine_;  // oldest first
  // Freed allocations whose bytes may be taken at once, by size in bytes
  std::multimap<std::size_t, Address> idle_;
  std::size_t idle_bytes_ = 0;
};

}  // namespace warpmark::simulator
