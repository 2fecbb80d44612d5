#include "harness/simulator/device/runtime/adopted.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/simulator/device/runtime/host_side.h"

namespace warpmark::simulator {
namespace {

// block size in bytes with which two copies of memory are compared, to find the changed parts
constexpr std::size_t kCompared = 4096;

void* in_program(const Allocation& allocation, std::size_t offset) {
  return reinterpret_cast<void*>(allocation.begin + offset);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

AdoptedMemory::AdoptedMemory(const DeviceMemory& memory) {
  for (Allocation& allocation : memory.allocations()) {
    if (allocation.copy != nullptr) pieces_[allocation.begin].allocation = std::move(allocation);
  }
}

void AdoptedMemory::bring(const Allocation& allocation) {
  const auto found = pieces_.find(allocation.begin);
  if (found == pieces_.end() || found->second.is_here) return;
  const std::lock_guard lock(mutex_);
  Piece& piece = found->second;
  if (piece.is_here || !read_host(allocation.copy, in_program(allocation, 0), allocation.bytes)) return;
  piece.before.assign(allocation.copy, allocation.copy + allocation.bytes);
  piece.is_here = true;
}

void AdoptedMemory::give_back() const {
  for (const auto& [begin, piece] : pieces_) {
    if (!piece.is_here) continue;
    const auto& [allocation, is_here, before] = piece;
    for (std::size_t at = 0; at < allocation.bytes; at += kCompared) {
      const std::size_t end = std::min(at + kCompared, allocation.bytes);
      if (std::memcmp(allocation.copy + at, before.data() + at, end - at) == 0) continue;
      std::size_t first = at;
      while (allocation.copy[first] == before[first]) ++first;
      std::size_t last = end;
      while (allocation.copy[last - 1] == before[last - 1]) --last;
      if (!write_host(in_program(allocation, first), allocation.copy + first, last - first)) return;
    }
  }
}

}  // namespace warpmark::simulator
