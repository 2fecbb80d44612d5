// A launch's view of the device's allocations.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "harness/simulator/engine/memory/device_memory.h"
#include "harness/simulator/engine/operations/context.h"

namespace warpmark::simulator {

struct AllocationView {
  Allocation allocation;
  std::ptrdiff_t delta = 0;           // host address minus device address
  std::ptrdiff_t shadow = kNoShadow;  // shadow offset minus device address
  bool barred = false;                // belongs to another device, to which this one has no peer access
};

// Returns the live allocations, sorted by address. Leaves out the chunks of the device heap: only the blocks
// inside them may be accessed (DeviceHeap). device: the one that runs the kernel; peers: devices it may
// access.
std::vector<AllocationView> live_views(const DeviceMemory& memory, int device, const std::vector<int>& peers);

// The freed allocations, for addresses that no live one contains. Built on first use. Thread-safe.
class FreedViews {
 public:
  // Returns the last one that begins at or before the address, or null.
  [[nodiscard]] const AllocationView* below(const DeviceMemory& memory, Address address);
  // Sorted by address.
  [[nodiscard]] const std::vector<AllocationView>& all(const DeviceMemory& memory);

 private:
  std::once_flag once_;
  std::vector<AllocationView> views_;
};

// Returns the last view that begins at or before the address, or null.
const AllocationView* last_at_or_before(const std::vector<AllocationView>& sorted, Address address);

}  // namespace warpmark::simulator
