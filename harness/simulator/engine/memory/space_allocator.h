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
    // offset of the allocation's contents in device memory, a multiple of kAllocationAlignment
    std::size_t place;
    Address begin;
  };
  // Places an allocation; returns nullopt if there is no room. If only quarantined space is left, releases
  // the oldest freed allocations and appends their start addresses to `forgotten`.
  std::optional<Spot> take(std::size_t bytes, std::vector<Address>& forgotten);
  // Puts the freed allocation's addresses in quarantine: they are reused only when nothing else is left.
  // Returns true if a later allocation may soon reuse the contents' pages under another address, so that the
  // caller should not unmap them.
  bool free(Address begin);

 private:
  struct Taken {
    Address begin;
    std::size_t bytes;
  };
  // Returns the offset of a freed allocation that is large enough, but not many times too large, for reuse
  // under a new address; nullopt if there is none.
  std::optional<std::size_t> idle(std::size_t bytes);
  [[nodiscard]] std::optional<std::size_t> gap(std::size_t need, std::size_t zone) const;
  std::optional<std::size_t> place(std::size_t bytes, std::vector<Address>& forgotten);
  Address address_for(std::size_t place, std::size_t bytes);

  Address range_;
  std::size_t range_bytes_;
  std::size_t top_ = 0;  // end offset of the device memory handed out so far
  // End offset, in the device address range, of the last allocation that was placed with a gap.
  std::size_t apart_top_ = 0;
  std::map<std::size_t, Taken> by_place_;
  std::map<Address, std::size_t> place_of_;
  std::deque<Address> quarantine_;  // start addresses of freed allocations, oldest first
  // Freed allocations whose pages may be reused at once: start address, keyed by size in bytes.
  std::multimap<std::size_t, Address> idle_;
  std::size_t idle_bytes_ = 0;
};

}  // namespace warpmark::simulator
