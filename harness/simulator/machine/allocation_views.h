// The allocations of a device's memory as a launch sees them.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/operations/context.h"

namespace warpmark::simulator {

struct AllocationView {
  Allocation allocation;
  std::ptrdiff_t delta = 0;           // host address - device address
  std::ptrdiff_t shadow = kNoShadow;  // place in the shadow - device address
  bool barred = false;                // of another device, which this one was not allowed to reach
};

// The live ones but the chunks of the device heap, whose blocks alone can be accessed. Sorted by begin.
// device: where the kernel runs; peers: those whose memory it may reach.
std::vector<AllocationView> live_views(const DeviceMemory& memory, int device, const std::vector<int>& peers);

// Those that were freed before, looked up when an address lies in no live one. From any host thread.
class FreedViews {
 public:
  // Null: none begins at the address or before it.
  [[nodiscard]] const AllocationView* below(const DeviceMemory& memory, Address address);
  // Sorted by begin.
  [[nodiscard]] const std::vector<AllocationView>& all(const DeviceMemory& memory);

 private:
  std::once_flag once_;
  std::vector<AllocationView> views_;
};

// The last of them that begins at the address or before it; null: none.
const AllocationView* last_at_or_before(const std::vector<AllocationView>& sorted, Address address);

}  // namespace warpmark::simulator
