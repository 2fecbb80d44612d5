// Memory of the host that device work uses: which of the host's accesses would come too early.
#pragma once

#include "harness/simulator/memory/device_memory.h"

namespace warpmark::simulator {

// Bytes [begin, end). The host may read them, because the work only does so as well; or use them by atomic
// operations, as the work does by those of the whole system; or not even that.
struct Watch {
  Address begin = 0;
  Address end = 0;
  bool readable = false;
  bool atomic = false;
  bool whole_pages = false;  // the pages at its ends hold other memory of the program's, too
  bool operator==(const Watch&) const = default;
};

// As many as the program is told of at a time. Neighbours are put together where there are more; the device
// knows each byte.
inline constexpr std::size_t kMostWatches = 4096;

// What the host did with memory that device work uses.
enum class HostAccess : std::uint8_t { read, write, free, atomic_read, atomic_write };

constexpr bool is_atomic(HostAccess access) {
  return access == HostAccess::atomic_read || access == HostAccess::atomic_write;
}
constexpr bool is_read(HostAccess access) {
  return access == HostAccess::read || access == HostAccess::atomic_read;
}

}  // namespace warpmark::simulator
