// A kernel launch's view of the simulated device's allocations: sorted lists of the live and the freed ones,
// with their host addresses and whether the kernel may access them.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

struct AllocationView {
  Allocation allocation;
  std::ptrdiff_t delta = 0;  // host address minus device address of each byte of the allocation
  // offset in the race detector's shadow minus device address, of each byte of the allocation
  std::ptrdiff_t shadow = kNoShadow;
  // The allocation is inaccessible to the kernel: another device owns it, without peer access.
  bool barred = false;
};

// Returns the live allocations, sorted by address, with the access rights of a kernel on `device` that has
// peer access to `peers`. Excludes the chunks of the device heap, in which only single malloc() blocks are
// valid (DeviceHeap).
std::vector<AllocationView> live_views(const DeviceMemory& memory, int device, const std::vector<int>& peers);

// Freed allocations, searched if no live allocation contains an address. The list is built on first use.
// Thread-safe.
class FreedViews {
 public:
  // Returns the freed allocation with the highest start at or below the address, or null.
  [[nodiscard]] const AllocationView* below(const DeviceMemory& memory, Address address);
  // Returns all freed allocations, sorted by address.
  [[nodiscard]] const std::vector<AllocationView>& all(const DeviceMemory& memory);

 private:
  std::once_flag once_;
  std::vector<AllocationView> views_;
};

// Returns the entry of a launch's allocation list with the highest start at or below the address, or null.
const AllocationView* last_at_or_before(const std::vector<AllocationView>& sorted, Address address);

}  // namespace warpmark::simulator
