#include "harness/simulator/engine/machine/allocation_views.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace warpmark::simulator {
namespace {

// True if kernels on `device` may not access the allocation: another device owns it and is not in `peers`.
// Managed and pinned memory is accessible to all devices.
bool is_barred(const Allocation& allocation, int device, const std::vector<int>& peers) {
  const bool own =
      allocation.kind == Allocation::Kind::device || allocation.kind == Allocation::Kind::variable;
  return own && allocation.device != device &&
         std::find(peers.begin(), peers.end(), allocation.device) == peers.end();
}

}  // namespace

std::vector<AllocationView> live_views(const DeviceMemory& memory, int device,
                                       const std::vector<int>& peers) {
  std::vector<AllocationView> views;
  for (Allocation& allocation : memory.allocations()) {
    if (allocation.kind == Allocation::Kind::heap) continue;
    AllocationView view{.allocation = std::move(allocation)};
    const std::byte* host = memory.host_view(view.allocation.begin, view.allocation.bytes);
    view.barred = is_barred(view.allocation, device, peers);
    view.delta = static_cast<std::ptrdiff_t>(reinterpret_cast<Address>(host) - view.allocation.begin);
    if (view.allocation.place != kNoPlace)
      view.shadow = static_cast<std::ptrdiff_t>(view.allocation.place - view.allocation.begin);
    views.push_back(std::move(view));
  }
  return views;
}

const std::vector<AllocationView>& FreedViews::all(const DeviceMemory& memory) {
  std::call_once(once_, [&] {
    for (Allocation& allocation : memory.freed_allocations())
      views_.push_back({.allocation = std::move(allocation)});
  });
  return views_;
}

const AllocationView* FreedViews::below(const DeviceMemory& memory, Address address) {
  return last_at_or_before(all(memory), address);
}

const AllocationView* last_at_or_before(const std::vector<AllocationView>& sorted, Address address) {
  const auto next =
      std::upper_bound(sorted.begin(), sorted.end(), address,
                       [](Address a, const AllocationView& view) { return a < view.allocation.begin; });
  return next == sorted.begin() ? nullptr : &*std::prev(next);
}

}  // namespace warpmark::simulator
